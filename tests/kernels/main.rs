//! Kernels do what the same Rust does, under every policy and at every warp width.
//!
//! They raise no warning, either, wherever they stand and whoever writes them: macros write most of these.

#![deny(warnings)]

#[macro_use]
#[path = "../support/mod.rs"]
mod support;

/// Evaluates an expression for a machine of each policy and warp width.
macro_rules! everywhere {
    (|$gpu:ident| $body:expr) => {
        simt::for_each_policy!(P => for width in [4, 8, 16, 32, 64] {
            let $gpu = simt::Gpu::<P>::default().with_warp_width(width);
            $body;
        })
    };
}

mod calls;
mod casts;
mod conflicts;
mod floats;
mod grids;
mod integers;
mod language;
mod programs;
#[allow(clippy::print_stdout, reason = "a user's test prints the report")]
#[rustfmt::skip]
mod readme;
mod reports;
