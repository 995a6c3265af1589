//! The memory of machines as a whole: the contract of levels, latencies worked by hand, bandwidth, and hierarchies that no
//! machine has. Levels by themselves are tested where they are.

mod bandwidth;
mod contract;
mod latency;
mod lists;

use simt_runtime::hierarchy::{
    AccessKind, CacheConfig, CacheFigures, CacheOperator, CrossbarConfig, DramConfig, DramFigures, HierarchyConfig,
    HierarchyFigures, Level, Request,
};

/// The parts of a hierarchy that has them.
trait Parts {
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

/// A load of core 0.
fn load(id: u64, address: u64, bytes: u32) -> Request {
    Request { id, core: 0, address, bytes, kind: AccessKind::Load, operator: CacheOperator::Cached, local: false }
}

/// What has been counted.
fn figures(level: &impl Level) -> HierarchyFigures {
    let mut sum = HierarchyFigures::default();
    level.count(&mut sum);
    sum
}

fn cache_figures(level: &impl Level, name: &str) -> CacheFigures {
    *figures(level).cache(name).expect("it is there")
}

fn dram_figures(level: &impl Level) -> DramFigures {
    *figures(level).dram().expect("it has memory")
}
