//! What a policy is told when a warp begins.

use super::WarpSplit;
use crate::policy::{PolicyConfig, mixed};

/// A warp whose lanes all stand at the entry.
#[derive(Clone, Copy, Debug)]
pub struct WarpStart<'s> {
    /// The entry, and the lanes that have threads.
    pub split: WarpSplit,
    /// Number of the block in the grid, x fastest.
    pub block: usize,
    /// Number of the warp in its block.
    pub warp: usize,
    /// What there is to know of the machine.
    pub config: &'s PolicyConfig,
}

impl WarpStart<'_> {
    /// A seed that follows from the machine's, and is another one for each warp.
    pub fn seed(&self) -> u64 {
        [self.block, self.warp].iter().fold(self.config.seed, |seed, &number| {
            // So that no two numbers change places.
            mixed(seed.wrapping_mul(3).wrapping_add(number as u64 + 1))
        })
    }
}

/// The first warp of the first block, on the machine without a clock.
impl From<WarpSplit> for WarpStart<'static> {
    fn from(split: WarpSplit) -> Self {
        Self { split, block: 0, warp: 0, config: &PolicyConfig::FUNCTIONAL }
    }
}
