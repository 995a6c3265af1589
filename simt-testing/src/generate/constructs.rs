//! Constructs that random kernels have only where they are asked for.
//!
//! What a seed stands for is pinned: snapshots and seeds of failures depend on it. So what the generator learns later it draws
//! where a construct of this list is asked for, and nowhere else.

use crate::Random;

/// Something that random kernels have only where it is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Construct {
    /// Arrays of the block whose length the grid gives. A block needs as many elements as it has threads:
    /// [`shared_memory`](crate::shared_memory()) says how many bytes these are.
    Dynamic,
    /// Arrays of a thread that are declared without values. What is read was written before; where threads may fault, not
    /// always.
    Unset,
    /// Operations that fault where they overflow, and the upper halves of long products. Where no thread may fault, the
    /// operands are such that none overflows.
    Strict,
    /// Barriers of the block, and elements of its arrays that other threads have written.
    Block,
    /// Barriers of the grid, and elements of slices that other threads have written.
    Grid,
    /// Votes and shuffles of a warp, and the numbers of lane and warp: results depend on how wide warps are.
    Warp,
}

impl Construct {
    /// Every construct.
    pub const ALL: &[Self] = &[Self::Dynamic, Self::Unset, Self::Strict, Self::Block, Self::Grid, Self::Warp];

    /// Whether threads wait for each other.
    pub const fn meets(self) -> bool {
        matches!(self, Self::Block | Self::Grid | Self::Warp)
    }

    /// Some of them, as the seed says: one at least.
    pub fn drawn(seed: u64) -> Vec<Self> {
        let mut random = Random::new(seed ^ 0xc025_7206);
        let one = *random.pick(Self::ALL);
        Self::ALL.iter().copied().filter(|&construct| construct == one || random.once_in(3)).collect()
    }
}
