//! How large the programs' inputs are.

use simt::prelude::*;

use super::Random;

/// The scale of a study.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Scale {
    /// The first 128 threads, for the limit study.
    Trace,
    /// Two cores, for a minute or two.
    Quick,
    /// The whole machine.
    Full,
}

/// The size of a program's input: by the machine that it is to fill.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    pub(crate) scale: Scale,
    /// Shader cores.
    pub(crate) cores: usize,
    /// Threads of a block: all that a core holds.
    pub(crate) threads: usize,
    /// Which of a program's inputs: 0 is that of all figures but one.
    pub(crate) input: u64,
}

impl Size {
    /// A block of 128 threads on one core, with the input of all figures.
    pub(crate) const fn of_one_block(scale: Scale) -> Self {
        Self { scale, cores: 1, threads: 128, input: 0 }
    }

    /// Threads that the machine holds at a time.
    pub(crate) fn resident(&self) -> usize {
        self.cores * self.threads
    }

    /// The value of the scale.
    pub(crate) fn choose<T>(&self, trace: T, quick: T, full: T) -> T {
        match self.scale {
            Scale::Trace => trace,
            Scale::Quick => quick,
            Scale::Full => full,
        }
    }

    /// The generator of a program's input, by the program's seed.
    pub(crate) fn random(&self, seed: u64) -> Random {
        // Small seeds side by side would begin alike: they are as far apart as those of SplitMix64, by 2^64 over the golden ratio.
        Random::new(seed.wrapping_add(self.input.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
    }

    /// Blocks of all threads that a core holds, for so many threads.
    pub(crate) fn grid(&self, threads: usize) -> Grid {
        Grid::covering(threads, self.threads)
    }
}
