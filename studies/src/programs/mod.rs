//! The programs of TACO'09: each a file with its kernel, the same in plain Rust, and `run`, which launches and compares.

pub(crate) mod bitonic;
pub(crate) mod black_scholes;
pub(crate) mod contrived;
pub(crate) mod fft;
pub(crate) mod hmmer;
pub(crate) mod lbm;
pub(crate) mod lu;
pub(crate) mod matrix;
mod random;
mod size;

use simt::prelude::*;

use random::Random;
pub(crate) use size::{Scale, Size};

/// A machine that programs are launched on.
pub(crate) trait Machine {
    /// Runs a kernel.
    fn launch(&mut self, grid: Grid, call: KernelCall<'_>) -> Result<(), LaunchError>;
}

/// A program: its name in the figures, and how it is run.
#[derive(Clone, Copy)]
pub(crate) struct Program {
    pub(crate) name: &'static str,
    pub(crate) run: fn(&mut dyn Machine, &Size) -> Result<(), LaunchError>,
}

/// The seven benchmarks, in the order of Figure 13.
pub(crate) const PROGRAMS: [Program; 7] = [
    Program { name: "HMMer", run: hmmer::run },
    Program { name: "LBM", run: lbm::run },
    Program { name: "Black", run: black_scholes::run },
    Program { name: "Bitonic", run: bitonic::run },
    Program { name: "FFT", run: fft::run },
    Program { name: "LU", run: lu::run },
    Program { name: "Matrix", run: matrix::run },
];

/// The loop of Figure 6.
pub(crate) const CONTRIVED: Program = Program { name: "Contrived", run: contrived::run };
