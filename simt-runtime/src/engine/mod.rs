//! The engine: runs the blocks of a launch under a policy.

mod barrier;
mod block_loop;
mod budget;
mod calls;
mod collective;
mod converge;
pub(crate) mod cycles;
mod init;
mod order;
mod run_ahead;
mod warp_loop;

pub(crate) use barrier::*;
pub(crate) use block_loop::{Core, CoreTurn, run as run_core};
pub(crate) use budget::*;
pub(crate) use calls::{CallLimits, Calls, TooManyCalls};
pub(crate) use collective::{Arrival, Misuse, waits_for};
pub(crate) use cycles::*;
pub(crate) use init::Setup;
pub(crate) use order::*;
pub(crate) use run_ahead::Ahead;
pub(crate) use warp_loop::*;
