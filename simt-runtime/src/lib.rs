//! The machine that runs simt kernels.
//!
//! A launch takes a kernel's code apart into segments. The *engine* owns addresses and masks, is generic over the reconvergence
//! policy, and knows no values; once a segment it has the *lanes* compute, all lanes of a warp at once, which know no
//! policy.
//!
//! ```text
//! Code -> Plan          \
//!                        engine  ->  Observer  ->  Report
//! Argument -> Memory    /   |
//!                        Stopped ->  gpu::diagnose  ->  LaunchError
//! ```

// First: its macros are used by the others.
#[macro_use]
pub mod policy;

mod clock;
mod config;
pub mod device;
mod engine;
pub mod environment;
mod error;
mod gpu;
mod grid;
pub mod hierarchy;
mod lanes;
mod memory;
mod observe;
mod plan;
mod report;
mod scheduler;

pub use clock::{ClockReport, LineClock, Occupancy, Sample, Stall, Stalls};
pub use config::{
    ClockConfig, ConfigError, GpuConfig, InFlight, MACHINES, MemoryTiming, NamedMachine, OpClass, OpTiming, OpTimings,
    RaceCheck, UnifiedConfig,
};
pub use environment::{EnvironmentConfig, MemoryModel};
pub use error::{
    ArgumentError, ArgumentProblem, BarrierProblem, Deadlock, FailedCheck, Fault, FaultKind, LaunchError, Livelock,
    LivelockProof, ProgramError, Race, Reading, SourcePlace, Spin, StepLimit, ThreadPlace, Wait,
};
pub use gpu::{
    Gpu, Kernel, KernelCall, LaunchBegun, LaunchWatcher, ScheduleLint, Watch, call, instance, schedule_lints,
    watch_launches,
};
pub use grid::{Dim3, Grid, GridError, Size};
#[doc(no_inline)]
pub use hierarchy::{
    CacheConfig, CacheFigures, Coalescing, CrossbarConfig, CrossbarFigures, DramConfig, DramFigures, HierarchyConfig,
    HierarchyFigures, MemoryOrder, Replacement, WritePolicy,
};
pub use memory::{
    AddressProblem, Argument, Arguments, BadAccess, Columns, DeviceMemory, DeviceMemoryError, Element, FieldData,
    HostData, Nearest, SliceData, SliceMutData, Structs, borrow_structs, pass_struct, share_structs,
};
pub use observe::study::{LimitStudy, Oracle, ReconvergencePoint, StudyError};
pub use observe::{ClockEvent, Issue, IssueTrace, Moment, Observer, WarpId};
pub use policy::*;
pub use report::{LineReport, PolicyFigure, Redacted, Report, figures};
pub use scheduler::WarpScheduling;
#[doc(no_inline)]
pub use simt_core::ops::Overflow;
