//! The memory of machines as a whole: the contract of levels, latencies worked by hand, bandwidth, and hierarchies that no
//! machine has. Levels by themselves are tested where they are.

mod bandwidth;
mod contract;
mod latency;
mod lists;
#[path = "../../src/hierarchy/tests/parts.rs"]
mod parts;

use simt_runtime::hierarchy::{
    AccessKind, CacheConfig, CacheFigures, CacheOperator, CrossbarConfig, DramConfig, DramFigures, HierarchyConfig,
    HierarchyFigures, Level, MemoryOrder, Replacement, Request,
};

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
