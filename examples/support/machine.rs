//! A GPU of any policy behind a pointer: what is around its launches is compiled once, and not for each policy.

use simt::GpuConfig;
use simt::prelude::*;

/// A machine that kernels are launched on.
pub(crate) trait Machine {
    /// Runs a kernel.
    fn launch(&self, grid: Grid, call: KernelCall<'_>) -> Result<Report, LaunchError>;
    /// What the machine is made of.
    #[allow(dead_code, reason = "not every program that has machines looks")]
    fn config(&self) -> &GpuConfig;
    /// The name of its policy.
    #[allow(dead_code, reason = "not every program that has machines asks")]
    fn policy(&self) -> &'static str;
}

impl<P: Policy> Machine for Gpu<P> {
    fn launch(&self, grid: Grid, call: KernelCall<'_>) -> Result<Report, LaunchError> {
        Self::launch(self, grid, call)
    }

    fn config(&self) -> &GpuConfig {
        Self::config(self)
    }

    fn policy(&self) -> &'static str {
        P::name()
    }
}
