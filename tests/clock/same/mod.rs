//! Timing decides when, never what.

mod collatz;
mod failures;
mod figures;
mod kernels;
mod order;
mod random;
mod waiting;
