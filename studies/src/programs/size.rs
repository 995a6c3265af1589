//! How large the programs' inputs are.

use simt::prelude::*;

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
}

impl Size {
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

    /// Blocks of all threads that a core holds, for so many threads.
    pub(crate) fn grid(&self, threads: usize) -> Grid {
        Grid::covering(threads, self.threads)
    }
}
