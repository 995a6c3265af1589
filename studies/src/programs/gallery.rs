//! The gallery's kernels, on machines of the studies.

use std::cell::RefCell;

use simt::GpuConfig;
use simt::prelude::*;

use super::Machine;

#[path = "../../../examples/gallery/kernels/mod.rs"]
#[allow(dead_code, unused_imports, reason = "the gallery's own main has limits of its own")]
mod kernels;

pub(super) use kernels::unending;

/// A kernel of the gallery: launches, and compares with plain Rust.
pub(super) type Run = fn(&dyn kernels::machine::Machine) -> Result<Report, LaunchError>;

macro_rules! list {
    ($($kernel:ident)*) => { &[$((stringify!($kernel), kernels::$kernel::run)),*] };
}

/// Their names and how they are run.
pub(super) const KERNELS: &[(&str, Run)] = kernels::with_kernels!(list);

/// A machine of the studies, as the gallery asks for it.
struct Lent<'m> {
    machine: RefCell<&'m mut dyn Machine>,
    /// Kernels ask for the width of warps.
    config: GpuConfig,
}

impl kernels::machine::Machine for Lent<'_> {
    fn launch(&self, grid: Grid, call: KernelCall<'_>) -> Result<Report, LaunchError> {
        self.machine.borrow_mut().launch(grid, call)
    }

    fn config(&self) -> &GpuConfig {
        &self.config
    }

    fn policy(&self) -> &'static str {
        ""
    }
}

pub(super) fn run(run: Run, machine: &mut dyn Machine) -> Result<(), LaunchError> {
    let config = GpuConfig { warp_width: machine.width(), ..GpuConfig::functional() };
    run(&Lent { machine: RefCell::new(machine), config }).map(drop)
}
