//! The programs: those of TACO'09, each a file with its kernel, the same in plain Rust, and `run`, which launches and compares;
//! behind them the gallery's kernels, and the twins of CUDA kernels of `tests/placement`.

pub(crate) mod bitonic;
pub(crate) mod black_scholes;
pub(crate) mod contrived;
pub(crate) mod fft;
mod gallery;
pub(crate) mod hmmer;
pub(crate) mod lbm;
pub(crate) mod lu;
pub(crate) mod matrix;
mod random;
mod size;
mod twins;
#[path = "../../../tests/kernels/waiting.rs"]
mod waiting;

use std::sync::OnceLock;
use std::sync::atomic::AtomicU32;

use simt::GpuConfig;
use simt::prelude::*;

use random::Random;
pub(crate) use size::{Scale, Size};
use twins::Twin;

/// A machine that programs are launched on.
pub(crate) trait Machine {
    /// Runs a kernel.
    fn launch(&mut self, grid: Grid, call: KernelCall<'_>) -> Result<Report, LaunchError>;

    /// Lanes of a warp.
    fn width(&self) -> usize;
}

/// A program: its name in the figures, and how it is run.
#[derive(Clone, Copy)]
pub(crate) struct Program {
    pub(crate) name: &'static str,
    runs: Runs,
}

#[derive(Clone, Copy)]
enum Runs {
    /// As large as is asked for.
    Sized(fn(&mut dyn Machine, &Size) -> Result<(), LaunchError>),
    /// A kernel of the gallery, with the input that it has there.
    Gallery(gallery::Run),
    /// A kernel of which nothing but its parameters is known.
    Twin(&'static Twin),
    /// A kernel of 32 threads which wait for each other by a lock or flag.
    Waits(fn(&[AtomicU32]) -> KernelCall<'_>),
}

impl Program {
    const fn sized(name: &'static str, run: fn(&mut dyn Machine, &Size) -> Result<(), LaunchError>) -> Self {
        Self { name, runs: Runs::Sized(run) }
    }

    /// Runs it; but for a twin, its results are compared with plain Rust.
    ///
    /// # Errors
    /// What a launch failed with.
    pub(crate) fn run(&self, machine: &mut dyn Machine, size: &Size) -> Result<(), LaunchError> {
        match self.runs {
            Runs::Sized(run) => run(machine, size),
            Runs::Gallery(run) => gallery::run(run, machine),
            Runs::Twin(twin) => twin.run(machine),
            Runs::Waits(call) => machine.launch(Grid::new(1, 32), call(&[AtomicU32::new(0)])).map(drop),
        }
    }

    /// Whether its threads may wait for each other, so that it does not end under every policy.
    pub(crate) const fn may_wait(&self) -> bool {
        !matches!(self.runs, Runs::Sized(_))
    }

    /// How it runs without end, if that is why a launch of it failed and may be.
    pub(crate) fn unending(&self, error: &LaunchError) -> Option<&'static str> {
        match self.runs {
            Runs::Sized(_) => None,
            Runs::Gallery(_) | Runs::Waits(_) => gallery::unending(error),
            // What its threads read of each other depends on the order.
            Runs::Twin(_) => Some(gallery::unending(error).unwrap_or("fault")),
        }
    }

    /// Where it is from.
    pub(crate) const fn origin(&self) -> &'static str {
        match self.runs {
            Runs::Sized(_) => "TACO'09",
            Runs::Gallery(_) => "gallery",
            Runs::Twin(_) => "placement",
            Runs::Waits(_) => "termination",
        }
    }
}

/// The seven benchmarks, in the order of Figure 13.
pub(crate) const PROGRAMS: [Program; 7] = [
    Program::sized("HMMer", hmmer::run),
    Program::sized("LBM", lbm::run),
    Program::sized("Black", black_scholes::run),
    Program::sized("Bitonic", bitonic::run),
    Program::sized("FFT", fft::run),
    Program::sized("LU", lu::run),
    Program::sized("Matrix", matrix::run),
];

/// The loop of Figure 6.
pub(crate) const CONTRIVED: Program = Program::sized("Contrived", contrived::run);

/// All programs: the seven, the contrived loop, the gallery's, the twins.
pub(crate) fn all() -> &'static [Program] {
    static ALL: OnceLock<Vec<Program>> = OnceLock::new();
    ALL.get_or_init(|| {
        let gallery = gallery::KERNELS.iter().map(|&(name, run)| Program { name, runs: Runs::Gallery(run) });
        let twins = twins::all().iter().map(|twin| Program { name: twin.name, runs: Runs::Twin(twin) });
        PROGRAMS.into_iter().chain([CONTRIVED]).chain(gallery).chain(twins).collect()
    })
}

/// Programs whose threads wait for each other: those of the page on termination, and the locks among [`all`].
pub(crate) fn waiting() -> &'static [Program] {
    /// Their names on that page, and one to which it refers.
    const NAMES: [&str; 7] = ["2", "2 swapped", "3", "4", "behind", "inside", "else"];
    const LOCKS: [&str; 3] = ["spin_lock", "ticket_lock", "warp_lock"];
    static WAITING: OnceLock<Vec<Program>> = OnceLock::new();
    WAITING.get_or_init(|| {
        let page =
            NAMES.into_iter().zip(waiting::PROGRAMS).map(|(name, call)| Program { name, runs: Runs::Waits(call) });
        let more = Program { name: "2 and more", runs: Runs::Waits(waiting::program_2_and_more) };
        page.chain([more]).chain(LOCKS.map(|name| all()[number(name)])).collect()
    })
}

/// The machine with a limit of work for kernels that may run without end: many times what any of them needs that ends. Which
/// other policies would end a launch is not asked.
pub(crate) fn limited(mut config: GpuConfig, work: u64) -> GpuConfig {
    if let Some(clock) = &mut config.clock {
        clock.cycle_limit = 4 * work;
    }
    GpuConfig { step_limit: work, progress_limit: work, ends_under_limit: 0, ..config }
}

/// The number of a program in [`all`].
///
/// # Panics
/// If there is none of that name.
pub(crate) fn number(name: &str) -> usize {
    all().iter().position(|program| program.name == name).expect("a program of the list")
}
