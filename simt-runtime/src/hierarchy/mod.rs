//! The memory hierarchy as time: when a request that is made now is answered.
//!
//! A hierarchy is a list of named levels ([`HierarchyConfig`]), each in front of the next. The machines have
//!
//! ```text
//! l1 (a cache a core) -> crossbar -> partitions, each l2 (a slice of a cache) -> dram (a memory module)
//! ```
//!
//! It knows cycles, addresses and requests; nothing of kernels, warps or values. All levels implement [`Level`]. Time jumps from
//! event to event.

mod banks;
mod buckets;
mod cache;
mod coalescing;
mod config;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod contract;
#[cfg(feature = "testing")]
pub use contract::{hold_level_to_contract, serve_alone, whole_hierarchy};
mod crossbar;
mod divisor;
mod dram;
mod figures;
mod kinds;
mod level;
mod lines;
mod slab;
mod times;

#[cfg(test)]
mod tests;

pub(crate) use banks::{constant_passes, data_cache_passes, shared_passes};
pub use cache::{CacheConfig, CacheFigures, Replacement, WritePolicy};
pub use coalescing::Coalescing;
pub(crate) use coalescing::Transaction;
pub use config::{HierarchyConfig, NamedLevel};
pub use crossbar::{CrossbarConfig, CrossbarFigures};
pub use dram::{DramConfig, DramFigures, MemoryOrder};
pub(crate) use figures::{Amount, Shown};
pub use figures::{HierarchyFigures, NamedFigures};
use kinds::{AnyLevel, List};
pub use kinds::{LevelConfig, LevelFigures};
pub use level::{AccessKind, CacheOperator, Cycle, Full, Level, Reply, Request};
pub(crate) use times::{Times, ones};

/// A whole memory hierarchy.
#[derive(Clone, Debug)]
pub(crate) struct Hierarchy {
    top: AnyLevel,
    /// Of each level of caches that all cores share, its number, the bytes of a line, and those of all slices.
    shared: Vec<(usize, u64, u64)>,
}

impl Hierarchy {
    /// The hierarchy of a machine with so many cores, 1 to 128. The config has no [`HierarchyConfig::problem`].
    pub(crate) fn new(config: &HierarchyConfig, cores: usize) -> Self {
        let partitions = u64::from(config.partitions());
        let levels = config.levels.iter().enumerate();
        let behind = levels.skip_while(|(_, level)| !matches!(level.level, LevelConfig::Crossbar(_)));
        let shared = behind.filter_map(|(number, level)| {
            let cache = level.cache()?;
            Some((number, cache.line.into(), cache.bytes * partitions))
        });
        let list = List { levels: &config.levels, number: 0, shared: false, cores };
        Self { top: AnyLevel::of(&list), shared: shared.collect() }
    }

    /// The caches that all cores share get what the host has copied: pieces of memory, each a first byte and a count, one
    /// after the other.
    pub(crate) fn copy(&mut self, pieces: &[(u64, u64)]) {
        for &(level, line, room) in &self.shared {
            // Of more than there is room for, what comes first would go again.
            let mut before = pieces.iter().map(|piece| piece.1).sum::<u64>().saturating_sub(room);
            for &(first, count) in pieces {
                let skipped = before.min(count);
                before -= skipped;
                let lines = (first + skipped) / line..(first + count).div_ceil(line);
                lines.for_each(|number| self.top.fill(level, number * line));
            }
        }
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

    fn full(&self) -> u128 {
        self.top.full()
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

    fn holds(&self, load: &Request) -> bool {
        self.top.holds(load)
    }
}
