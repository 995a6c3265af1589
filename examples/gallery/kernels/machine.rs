//! A GPU of any policy as a value: what is around a kernel is compiled once, and not for each policy.

use simt::prelude::*;

/// A machine that a kernel is launched on.
pub(crate) trait Machine {
    /// Runs a kernel.
    fn launch(&self, grid: Grid, call: KernelCall<'_>) -> Result<Report, LaunchError>;
    /// Threads of a warp.
    #[allow(dead_code, reason = "of use to some kernels")]
    fn warp_width(&self) -> usize;
}

impl<P: Policy> Machine for Gpu<P> {
    fn launch(&self, grid: Grid, call: KernelCall<'_>) -> Result<Report, LaunchError> {
        Self::launch(self, grid, call)
    }

    fn warp_width(&self) -> usize {
        self.config().warp_width
    }
}
