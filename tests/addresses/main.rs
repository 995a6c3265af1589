//! Kernels written as code that access memory by address: under every policy, against plain Rust.

/// Evaluates an expression for a machine of each policy and warp width: `$gpu` is a reference to a `Machine`.
macro_rules! everywhere {
    (|$gpu:ident| $body:expr) => {
        crate::everywhere(&mut |$gpu: &dyn crate::machine::Machine| {
            $body;
        })
    };
}

#[path = "../../examples/support/machine.rs"]
#[allow(dead_code, reason = "others need more of it")]
mod machine;

mod blocks;
mod errors;
mod guards;
mod kernels;
mod machines;
mod memory;
mod parts;
mod races;
mod random;

use simt::Code;
use simt::environment::{EnvironmentConfig, Geometry, MemoryModel};
use simt::host::Kernel;

/// A kernel from a text that is right.
#[track_caller]
fn kernel(text: &str) -> Kernel {
    Kernel::from_code(Code::parse(text).unwrap_or_else(|error| panic!("{error}")))
}

/// Calls a function with a machine of each policy and warp width, and with one of each whose memory is the environment.
///
/// It is called through a pointer, so that what a test does is compiled once, and not for each policy.
fn everywhere(test: &mut dyn FnMut(&dyn machine::Machine)) {
    let lines = Geometry { sets: 2, ways: 2 };
    let environment = EnvironmentConfig { processors: 2, l1: lines, l2: lines, ..EnvironmentConfig::seeded(7) };
    simt::for_each_policy!(P => {
        for width in [4, 8, 16, 32, 64] {
            test(&simt::Gpu::<P>::default().with_warp_width(width));
        }
        let gpu = simt::Gpu::<P>::default().with_warp_width(8);
        test(&gpu.with_memory(MemoryModel::Environment(environment.clone())));
    });
}
