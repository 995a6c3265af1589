//! All runs of a small program: the free choices of a semantics enumerated as a state graph.
//!
//! A [`System`] is a semantics with its choices open: [`ThreadSystem`] interleaves threads, [`GroupSystem`] is a stack-less
//! warp under any schedule, [`WarpSystem`] a warp with any order of its conflicting writes. [`explore`] goes through all of
//! it, up to a bound, and says
//!
//! * how runs end: each final memory, fault and deadlock, with a schedule that leads there ([`Ending`], [`Witness`]);
//! * whether every weakly fair run ends, or a fair one goes on for ever ([`Termination`], [`Lasso`]).
//!
//! What is too big for that is tried by random schedules ([`try_seeds`], [`random_run`]). A schedule that fails is made
//! simpler ([`shrink`]), prints as a line that can be read back, and runs again ([`replay()`], [`Replay`]).
//!
//! | file | idea |
//! |---|---|
//! | `system` | what is explored |
//! | `threads`, `groups`, `warps` | the three semantics |
//! | `orders` | which orders of conflicting writes differ |
//! | `private` | partial-order reduction |
//! | `graph` | the search, and what it finds |
//! | `fair` | fair runs without end |
//! | `moves` | schedules as data |
//! | `run`, `shrink` | one run; a simpler one that fails, too |

mod fair;
mod graph;
mod groups;
mod moves;
mod orders;
mod private;
mod run;
mod shrink;
mod system;
mod threads;
mod warps;

pub use fair::Lasso;
pub use graph::{Exploration, Termination, explore, explore_all};
pub use groups::GroupSystem;
pub use moves::{Move, Replay, Witness, WitnessError};
pub use run::{Ending, Failure, NotPossible, random_run, replay, try_seeds};
pub use shrink::shrink;
pub use system::{Successor, System};
pub use threads::ThreadSystem;
pub use warps::WarpSystem;
