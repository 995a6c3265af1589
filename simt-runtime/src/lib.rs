//! The machine that runs simt kernels.
//!
//! A launch takes a kernel's code apart into segments and runs warp after warp through two engines that meet once a
//! segment: the *lanes* compute, all lanes of a warp at once, and know no policy; the *flow* owns addresses and masks, is
//! generic over the reconvergence policy, and knows no values.
//!
//! ```text
//! Kernel -> Plan (lanes)  \
//!                          engine::run::<Policy>  ->  Observer  ->  Report
//! Argument -> Memory      /                     \-> LaunchError
//! ```

// First: its macros are used by the others.
#[macro_use]
pub mod policy;

mod clock;
mod config;
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
    ClockConfig, ConfigError, GpuConfig, InFlight, MemoryTiming, OpClass, OpTiming, OpTimings, RaceCheck, UnifiedConfig,
};
pub use environment::{EnvironmentConfig, MemoryModel};
pub use error::{
    ArgumentError, ArgumentProblem, BarrierProblem, Deadlock, FailedCheck, Fault, FaultKind, LaunchError, Livelock,
    LivelockProof, ProgramError, Race, Reading, SourcePlace, Spin, StepLimit, ThreadPlace, Wait,
};
pub use gpu::{Gpu, Kernel, KernelCall, ScheduleLint, call, instance, schedule_lints};
pub use grid::{Dim3, Grid, GridError};
#[doc(no_inline)]
pub use hierarchy::{
    CacheConfig, CacheFigures, Coalescing, CrossbarConfig, CrossbarFigures, DramConfig, DramFigures, HierarchyConfig,
    HierarchyFigures, MemoryOrder, Replacement, WritePolicy,
};
pub use memory::{
    Argument, Arguments, Columns, Element, FieldData, HostData, SliceData, SliceMutData, Structs, borrow_structs,
    pass_struct, share_structs,
};
pub use observe::study::{LimitStudy, Oracle, ReconvergencePoint, StudyError};
pub use observe::{Issue, IssueTrace, Observer, WarpId};
pub use policy::*;
pub use report::{LineReport, PolicyFigure, Report};
pub use scheduler::WarpScheduling;
