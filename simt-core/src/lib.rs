//! The definition of simt's kernel language.
//!
//! A kernel's way through this crate:
//!
//! ```text
//! build::Builder   typed calls that #[kernel] emits; rustc infers and checks every type
//!       |
//! program::Program the structured while-language of ESOP'12 with device statements
//!       |  validate
//! Validated<Program>
//!       |  lower
//! code::Code       flat instructions, basic blocks, immediate post-dominators, markers; also from its text form
//! ```
//!
//! The crate is pure: it does no I/O, knows no reconvergence policy, no clock and no memory timing.

pub mod analysis;
pub mod build;
pub mod code;
pub mod graph;
pub mod lower;
pub mod mask;
pub mod ops;
pub mod program;
pub mod scalar;
pub mod source;
pub mod text;

#[cfg(feature = "half")]
pub use ::half;
pub use build::{Atomic, AtomicF32, AtomicF64};
pub use mask::LaneMask;
pub use ops::{Float, HalfFloat, Int, Num, SignedInt, UnsignedInt};
pub use scalar::{Constant, Scalar, ScalarType};
pub use source::{Source, Span};
