//! The data that a policy gets when a warp begins.

use super::stack_less;
use crate::config::GpuConfig;

/// The warp that begins, and its machine.
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
    /// A seed that follows from the machine's, and is a different one for each warp.
    pub fn seed(&self) -> u64 {
        [self.block, self.warp].iter().fold(self.config.seed, |seed, &number| {
            // Multiplied, so that exchanging the two numbers changes the seed.
            stack_less::mixed(seed.wrapping_mul(3).wrapping_add(number as u64 + 1))
        })
    }
}
