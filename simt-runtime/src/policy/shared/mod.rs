//! What several policies are made of: sets of threads, path order, lanes that wait, convergence barriers, and what a policy
//! is told of control instructions.

mod barriers;
mod branch;
mod figure;
mod mixed;
mod order;
mod parked;
mod spares;
mod stack;
mod start;
mod state_part;
mod stops;
mod thread_mask;

pub use barriers::ConvergenceBarrier;
pub(crate) use barriers::{BarrierCounts, BarrierPaths};
pub use branch::{BarrierMarker, Branch, WarpSplit};
#[cfg(test)]
pub(crate) use figure::gathered;
pub use figure::{Figure, FigureTotal, Tally};
pub(crate) use mixed::mixed;
pub use order::{FallThroughFirst, LargerFirst, PathOrder, SmallerFirst, TakenFirst};
pub(crate) use parked::{Lanes, Parked};
pub(crate) use spares::Spares;
pub(crate) use stack::Stack;
pub use start::WarpStart;
pub use state_part::StatePart;
pub use stops::Stops;
pub use thread_mask::ThreadMask;
