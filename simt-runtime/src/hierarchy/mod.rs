//! The memory hierarchy as time: when a request that is made now is answered.
//!
//! ```text
//! Hierarchy = Cache (L1, one a core) -> Crossbar -> partitions, each Cache (a slice of L2) -> Dram
//! ```
//!
//! It knows cycles, addresses and requests; nothing of kernels, warps or values. All levels implement [`Level`] and nest by
//! generics. Time jumps from event to event.

mod banks;
mod cache;
mod coalescing;
mod config;
mod crossbar;
mod divisor;
mod dram;
mod figures;
mod level;
mod lines;
mod slab;
mod switch;
mod times;

#[cfg(test)]
mod tests;

pub(crate) use banks::{constant_passes, data_cache_passes, shared_passes};
use cache::{Cache, Role};
pub use coalescing::Coalescing;
pub(crate) use coalescing::Transaction;
pub use config::{CacheConfig, CrossbarConfig, DramConfig, HierarchyConfig, MemoryOrder, Replacement, WritePolicy};
use crossbar::Crossbar;
use dram::Dram;
pub use figures::{CacheFigures, CrossbarFigures, DramFigures, HierarchyFigures};
pub(crate) use level::Cycle;
pub use level::Served;
pub(crate) use level::{AccessKind, CacheOperator, Full, Level, Reply, Request};

/// A whole memory hierarchy.
#[derive(Clone, Debug)]
pub(crate) struct Hierarchy {
    top: Cache<Crossbar<Cache<Dram>>>,
}

impl Hierarchy {
    /// The hierarchy of a machine with so many cores, 1 to 128. The config has no [`HierarchyConfig::problem`].
    pub(crate) fn new(config: &HierarchyConfig, cores: usize) -> Self {
        let partition = |_| Cache::new(&config.l2, Role::Second, 1, Dram::new(&config.dram));
        let partitions = (0..config.partitions).map(partition).collect();
        Self { top: Cache::new(&config.l1, Role::First, cores, Crossbar::new(config, cores, partitions)) }
    }

    /// The second level gets the memory that the host has copied: pieces, each a first byte and a count, one after the
    /// other.
    pub(crate) fn copy(&mut self, pieces: &[(u64, u64)]) {
        self.top.next_mut().copy(pieces);
    }

    /// Whether the first level has what a load asks for, in the cycle to which the hierarchy has advanced.
    pub(crate) fn holds(&self, load: &Request) -> bool {
        self.top.holds(load)
    }

    /// The figures since the hierarchy was made.
    pub(crate) fn figures(&self) -> HierarchyFigures {
        let mut sum = HierarchyFigures::default();
        self.count(&mut sum);
        sum
    }
}

impl Level for Hierarchy {
    fn offer(&mut self, now: Cycle, request: Request) -> Result<(), Full> {
        self.top.offer(now, request)
    }

    fn next_event(&self) -> Option<Cycle> {
        self.top.next_event()
    }

    fn advance(&mut self, now: Cycle, done: &mut Vec<Reply>) {
        self.top.advance(now, done);
    }

    fn flush(&mut self) {
        self.top.flush();
    }

    fn outstanding(&self) -> usize {
        self.top.outstanding()
    }

    fn count(&self, sum: &mut HierarchyFigures) {
        self.top.count(sum);
    }
}
