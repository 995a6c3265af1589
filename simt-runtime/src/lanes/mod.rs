//! The lanes: straight-line segments, all lanes at once.
//!
//! Values of a warp lie in rows, one word a lane; a `bool` is one bit a lane. An operation is a loop over a row in chunks
//! of eight words that the compiler turns into vector instructions, and its result is blended into the destination by the
//! active mask, which is kept as a row of all-zeros and all-ones words too. This engine knows no reconvergence policy; it
//! runs a segment for a mask and says at most which lane faulted.
//!
//! * [`plan`](Plan) turns code into lane operations over numbered rows, once per kernel and marker family;
//! * [`segment`] holds the loops.

mod op;
mod plan;
mod row;
mod segment;

pub(crate) use op::LaneOp;
pub(crate) use plan::{Control, Plan, PlanError};
pub(crate) use plan::{Micro, Place};
pub(crate) use row::{ActiveMask, Registers};
pub(crate) use segment::{LaneFault, run_avx2, run_avx512, run_portable};

/// Lanes of a row are worked on in chunks of this many words: two AVX registers of four, one of eight.
pub(crate) const CHUNK: usize = 8;
