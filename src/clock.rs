//! Time: the config of a machine of cores, and what a timed launch counts. Its memory is a [`hierarchy`](crate::hierarchy).

#[doc(inline)]
pub use simt_runtime::{
    ClockConfig, ClockReport, InFlight, LineClock, MACHINES, MemoryTiming, NamedMachine, Occupancy, OpClass, OpTiming,
    OpTimings, Sample, Stall, Stalls, UnifiedConfig, WarpScheduling,
};
