//! What a policy that depends on it hears when a warp begins.

use super::stack_less;
use crate::config::GpuConfig;

/// Which warp begins, and on which machine.
#[derive(Clone, Copy, Debug)]
pub struct WarpStart<'s> {
    /// Number of the block in the grid, x fastest.
    pub block: usize,
    /// Number of the warp in its block.
    pub warp: usize,
    /// The machine.
    pub config: &'s GpuConfig,
}

impl WarpStart<'_> {
    /// A seed that follows from the machine's, and is another one for each warp.
    pub fn seed(&self) -> u64 {
        [self.block, self.warp].iter().fold(self.config.seed, |seed, &number| {
            // So that no two numbers change places.
            stack_less::mixed(seed.wrapping_mul(3).wrapping_add(number as u64 + 1))
        })
    }
}
