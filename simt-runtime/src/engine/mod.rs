//! The engine: runs the blocks of a launch, and returns what stopped it.
//!
//! * `order/`: in which order blocks run, and the units of a block, which take turns;
//! * `block`: a turn of a unit: it runs, its warps arrive at barriers, barriers open. For every way to run a launch; `turn`:
//!   what becomes of it;
//! * `units/`: what takes turns: warps that keep their threads, or a block whose threads are regrouped;
//! * `warp_loop`, `block_loop`: what a unit does in a turn, segment by segment;
//! * `control`: what control instructions do;
//! * `barrier`: barriers of the block; `collective`: operations of lanes together, `compute`: what comes of them;
//! * `converge`: markers of convergence barriers; `calls`: where lanes return to, and what a call keeps;
//! * `run_ahead`: threads that run a segment before they issue it;
//! * `state`: what is kept of a warp between its turns; `init`: the registers that are filled before it starts;
//! * `budget`: what a launch may do; `cycles/`: the proof that a block never ends;
//! * `stopped`: what stopped a launch, as data.

mod barrier;
mod block;
mod block_loop;
mod budget;
mod calls;
mod collective;
mod compute;
mod control;
mod converge;
mod cycles;
mod init;
mod launch;
pub(crate) mod order;
mod run_ahead;
mod state;
mod stopped;
mod turn;
mod units;
mod warp_loop;

pub use barrier::BarrierProblem;
pub(crate) use barrier::GRID;
pub(crate) use block::{Block, Units, WithoutTurn};
pub(crate) use budget::{Budget, Next, Spent, Watch};
pub(crate) use calls::{CallLimits, TooManyCalls};
pub(crate) use collective::{Arrival, Misuse, each_group};
pub use cycles::LivelockProof;
pub(crate) use cycles::{Circle, Unknown};
pub(crate) use init::Init;
pub(crate) use launch::Launch;
pub(crate) use stopped::{Stopped, StoppedWarp, Why};
pub(crate) use turn::{Turn, Turned};
use units::Warps;
pub(crate) use units::{ByBlocks, ByWarps, Start};
