//! Timing decides when, never what.

mod collatz;
mod failures;
mod kernels;
mod order;
mod random;
