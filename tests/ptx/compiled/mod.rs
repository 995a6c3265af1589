//! CUDA that is written here, in `cuda/`, as several compilers have made PTX of it: each kernel under every policy, against plain
//! Rust.

mod calls;
mod counts;
mod dynamic;
mod graphs;
#[cfg(feature = "half")]
mod halves;
mod locks;
mod matrices;
mod numbers;
mod peers;
mod pointers;
mod prints;
mod sorts;
mod stencils;
mod structs;
mod sums;
mod texts;
mod twins;
mod warps;

use crate::gallery::step_limit;
use crate::machine::Machine;
use simt::checks::Checks;
use simt::host::{Argument, DeviceMemory, Kernel, call};
use simt::ptx::Module;
use simt::{Gpu, Grid, LaunchError, Report};
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

/// The compilers: nvcc for two machines, between which the compiler behind it has changed, clang, and `nvcc -G`.
const COMPILERS: [&str; 4] = ["sm_75", "sm_100", "clang", "debug"];

/// Kernels of one file, on one machine.
struct Run<'a> {
    gpu: &'a dyn Machine,
    kernels: &'a BTreeMap<&'a str, Kernel>,
    file: &'a str,
}

impl fmt::Display for Run<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} under {}", self.file, self.gpu.policy())
    }
}

impl Run<'_> {
    /// What a launch reports.
    #[track_caller]
    fn launch(&self, kernel: &str, grid: Grid, memory: &mut DeviceMemory, arguments: Vec<Argument<'_>>) -> Report {
        self.try_launch(kernel, grid, memory, arguments).unwrap_or_else(|error| panic!("{self}: {error}"))
    }

    fn try_launch(
        &self,
        kernel: &str,
        grid: Grid,
        memory: &mut DeviceMemory,
        arguments: Vec<Argument<'_>>,
    ) -> Result<Report, LaunchError> {
        self.gpu.launch(grid, call(&self.kernels[kernel], arguments).with_memory(memory))
    }
}

/// Arguments of a launch: numbers, and addresses as numbers.
macro_rules! arguments {
    ($($value:expr),* $(,)?) => { vec![$(simt::host::Argument::scalar($value)),*] };
}
use arguments;

/// The file of a source by a compiler.
fn file(source: &str, compiler: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/ptx/cuda/{source}.{compiler}.ptx"))
}

/// Kernels of a source by a compiler.
fn kernels<'a>(source: &str, compiler: &str, names: &[&'a str]) -> BTreeMap<&'a str, Kernel> {
    let module = Module::read(file(source, compiler)).unwrap_or_else(|error| panic!("{error}"));
    let kernel = |&name: &&'a str| (name, module.kernel(name).unwrap_or_else(|error| panic!("{error}")));
    names.iter().map(kernel).collect()
}

/// The policies of which machines run what is not optimised: each takes several times as long as for what is.
const OF_DEBUG: [&str; 3] = ["Ipdom", "ConvergenceBarriers", "Mimd"];

/// Calls a test with kernels of a source, by each compiler, on a machine of each policy.
fn everywhere<T>(source: &str, names: &[&str], mut test: impl FnMut(&Run) -> T) {
    for compiler in COMPILERS {
        let is_debug = compiler == "debug";
        let kernels = kernels(source, compiler, names);
        let file = format!("{source}.{compiler}.ptx");
        // Checking every step takes most of the time: what policies see differs little between compilers.
        let checks = if compiler == COMPILERS[0] { Checks::all() } else { Checks::none() };
        let mut on = |gpu: &dyn Machine| {
            if !is_debug || OF_DEBUG.contains(&gpu.policy()) {
                drop(test(&Run { gpu, kernels: &kernels, file: &file }));
            }
        };
        let share = if is_debug { 1 } else { 8 };
        simt::for_each_policy!(P => {
            // Kernels here are small: what spins reaches the limit in a moment.
            on(&Gpu::<P>::default().with_checks(checks).with_step_limit(step_limit::<P>() / share));
        });
    }
}

/// The files that are there are those that are tested.
#[test]
fn each_source_is_there_by_each_compiler() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/ptx/cuda");
    let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut kernels = 0;
    for source in names.filter_map(|name| name.strip_suffix(".cu").map(str::to_string)) {
        let named = |compiler: &str| -> Vec<String> {
            let module = Module::read(file(&source, compiler)).unwrap_or_else(|error| panic!("{error}"));
            let mut names: Vec<String> = module.kernels().map(str::to_string).collect();
            names.sort();
            names
        };
        let first = named(COMPILERS[0]);
        assert!(COMPILERS.iter().all(|compiler| named(compiler) == first), "{source} has other kernels by another");
        kernels += first.len();
    }
    assert!(kernels >= 61, "{kernels} kernels");
}
