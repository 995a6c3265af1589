//! The clock: how long a launch takes on a machine of cores over a hierarchy of memory.
//!
//! Timing decides *when*, never *what*: a core executes an instruction with [`engine`](crate::engine) when it issues it, and
//! the clock says when the next one may issue. Code runs by the instruction here: the plan has a segment for each.
//!
//! * `occupancy`: how many blocks a core holds; `beginning`: the contents of its memory when a launch begins;
//! * `program`: the needs of each instruction, by address; `access`: the addresses that lanes touch;
//! * `step`: an instruction of a unit on a core, whether its policy keeps warps together or regroups their threads;
//! * `warp`, `flights`, `scoreboard`: when a warp's lanes and registers are free, and where its cycles went;
//! * `core/`: the issue of a core; `port`, `tickets`: the requests on their way to memory; `device`: all cores over one
//!   memory, from event to event;
//! * `executed`: the threads that execute an instruction; `tally`, `figures`, `series`: the counters.

mod access;
mod beginning;
mod core;
mod device;
mod executed;
mod figures;
mod flights;
mod occupancy;
mod port;
mod program;
mod scoreboard;
mod series;
mod step;
mod tally;
mod tickets;
mod warp;

pub use figures::{ClockReport, LineClock, Occupancy, Stall, Stalls};
pub use series::Sample;

pub(crate) use device::{PolicyTraits, Timed};
pub(crate) use occupancy::limit;
