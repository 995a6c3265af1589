//! Termination: why a kernel may hang under one policy and end under another, and how to see it.
//!
#![doc = include_str!("termination.md")]

#[doc(inline)]
pub use simt_runtime::{ScheduleLint, schedule_lints};
