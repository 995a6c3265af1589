//! Kernels as a first user with Rust and CUDA behind them wrote them from the README: nothing was changed so that they compile.

#![allow(
    clippy::all,
    clippy::pedantic,
    clippy::print_stdout,
    unused,
    unused_qualifications,
    missing_docs,
    unreachable_pub,
    reason = "it is how they were written"
)]

mod aggregate;
mod automaton;
mod floyd;
mod histogram;
mod matmul;
mod monte;
mod nbody;
mod nw;
mod queens;
mod radix;
mod rays;
mod scan;
mod spin;
mod spmv;
mod steal;
mod stencil;
