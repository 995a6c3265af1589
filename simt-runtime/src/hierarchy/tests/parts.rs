//! The parts of the machines' hierarchies, and hierarchies of other sizes: for the tests within the crate, and for those of whole
//! hierarchies in `tests/hierarchy`.

use super::{CacheConfig, CrossbarConfig, DramConfig, HierarchyConfig, MemoryOrder, Replacement};

/// The parts of a hierarchy that has them.
pub(super) trait Parts {
    fn l1(&self) -> &CacheConfig;
    fn l1_mut(&mut self) -> &mut CacheConfig;
    fn l2(&self) -> &CacheConfig;
    fn l2_mut(&mut self) -> &mut CacheConfig;
    fn joined(&self) -> &CrossbarConfig;
    fn joined_mut(&mut self) -> &mut CrossbarConfig;
    fn module(&self) -> &DramConfig;
    fn module_mut(&mut self) -> &mut DramConfig;
    /// The number of a level.
    fn at(&self, name: &str) -> usize;
}

macro_rules! parts {
    ($($name:ident $name_mut:ident -> $part:ty: $get:ident, $get_mut:ident($($argument:literal)?);)*) => {
        impl Parts for HierarchyConfig {
            $(
                fn $name(&self) -> &$part {
                    self.$get($($argument)?).expect("it is there")
                }

                fn $name_mut(&mut self) -> &mut $part {
                    self.$get_mut($($argument)?).expect("it is there")
                }
            )*

            fn at(&self, name: &str) -> usize {
                self.index(name).expect("it is there")
            }
        }
    };
}
parts! {
    l1 l1_mut -> CacheConfig: cache, cache_mut("l1");
    l2 l2_mut -> CacheConfig: cache, cache_mut("l2");
    joined joined_mut -> CrossbarConfig: crossbar, crossbar_mut();
    module module_mut -> DramConfig: dram, dram_mut();
}

/// The machine with the smallest sizes that work.
pub(super) fn least(mut config: HierarchyConfig) -> HierarchyConfig {
    for cache in config.caches_mut() {
        cache.bytes = u64::from(cache.line) * 4;
        cache.ways = 2;
        (cache.ports, cache.mshrs, cache.merges, cache.passes, cache.queue, cache.miss_queue) = (1, 1, 1, 1, 1, 2);
        (cache.hit_latency, cache.miss_latency, cache.atomic_cycles) = (1, 1, 3);
    }
    let crossbar = config.joined_mut();
    (crossbar.latency, crossbar.queue, crossbar.output_queue, crossbar.replies) = (1, 1, 1, 1);
    config.module_mut().queue = 1;
    assert_eq!(config.problem(), None);
    config
}

/// A machine that has room for a few of each.
pub(super) fn middling(mut config: HierarchyConfig) -> HierarchyConfig {
    for cache in config.caches_mut() {
        cache.bytes = u64::from(cache.line) * 16;
        cache.ways = 4;
        (cache.ports, cache.mshrs, cache.merges, cache.passes, cache.queue, cache.miss_queue) = (2, 4, 2, 3, 3, 3);
        cache.replacement = Replacement::Random { seed: 7 };
    }
    config.joined_mut().replies = 5;
    (config.module_mut().queue, config.module_mut().order) = (4, MemoryOrder::Fcfs);
    assert_eq!(config.problem(), None);
    config
}
