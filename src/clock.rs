//! Time: the config of a machine of cores over a hierarchy of memory, and what a timed launch counts.

#[doc(inline)]
pub use simt_runtime::{
    CacheConfig, CacheFigures, ClockConfig, ClockReport, Coalescing, CrossbarConfig, CrossbarFigures, DramConfig,
    DramFigures, HierarchyConfig, HierarchyFigures, InFlight, LineClock, MemoryOrder, MemoryTiming, Occupancy, OpClass,
    OpTiming, OpTimings, Replacement, Sample, Served, Stall, Stalls, UnifiedConfig, WarpScheduling, WritePolicy,
};
