//! The language of kernels: the constructs of a `#[kernel]` or `#[device]` function, and what each becomes.
//!
#![doc = include_str!("language.md")]

#[doc(inline)]
pub use simt_core::{Atomic, AtomicF32, AtomicF64, Float, HalfFloat, Int, Num, Scalar};
