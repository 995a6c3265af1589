//! The lanes: straight-line segments, all lanes at once.
//!
//! Values of a warp lie in rows, one word a lane; a `bool` is one bit a lane. An operation is a loop over a row in chunks
//! of eight words that the compiler turns into vector instructions, and its result is blended into the destination by the
//! bits of the active mask. This engine knows no reconvergence policy; it runs a segment for a mask and says at most which lane
//! faulted.
//!
//! * `segment` runs the operations of a segment, with the loops of `loops` and `slices` and the means of an
//!   instruction set in `isa`.

mod access;
mod extended;
mod guarded;
mod isa;
mod loops;
mod numeric;
mod row;
mod segment;
mod slices;
#[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
mod warp32;

pub(crate) use row::{MAX_LANES, Registers};
pub(crate) use segment::{LaneFault, run};

pub(crate) use crate::memory::CHUNK;
