//! The machine that runs simt kernels.
//!
//! A launch takes a kernel's code apart into segments and runs warp after warp through two engines that meet once a
//! segment: the *lanes* compute, all lanes of a warp at once, and know no policy; the *flow* owns addresses and masks, is
//! generic over the reconvergence policy, and knows no values.
//!
//! ```text
//! Kernel -> Plan (lanes)  \
//!                          flow::run::<Policy>  ->  Observer  ->  Report
//! Argument -> Memory      /                     \-> LaunchError
//! ```

mod block;
mod budget;
mod checks;
mod circle;
mod clock;
mod config;
pub mod environment;
mod erased;
mod error;
mod fault;
mod flow;
mod gpu;
mod grid;
mod instance;
mod interleaved;
mod kernel;
mod lanes;
mod launch;
mod lint;
mod livelock;
mod memory;
mod modelled;
mod observe;
mod policy;
mod races;
mod refuse;
mod regrouped;
mod repeat;
mod report;
mod setup;
mod stop;
mod study;
#[cfg(feature = "testing")]
pub mod testing;
mod turns;

pub use checks::{Check, Checks};
pub use clock::hierarchy::{
    CacheConfig, CacheFigures, Coalescing, CrossbarConfig, CrossbarFigures, DramConfig, DramFigures, HierarchyConfig,
    HierarchyFigures, MemoryOrder, Replacement, Served, WritePolicy,
};
pub use clock::{
    ClockConfig, ClockReport, InFlight, LineClock, MemoryTiming, Occupancy, OpClass, OpTiming, OpTimings, Sample,
    Stall, Stalls, UnifiedConfig, WarpScheduling,
};
pub use config::{ConfigError, GpuConfig};
pub use environment::{EnvironmentConfig, MemoryModel};
pub use error::{
    ArgumentError, ArgumentProblem, BarrierProblem, Deadlock, FailedCheck, Fault, FaultKind, LaunchError, Livelock,
    LivelockProof, ProgramError, Race, Reading, SourcePlace, Spin, StepLimit, ThreadPlace, Wait,
};
pub use gpu::Gpu;
pub use grid::{Dim3, Grid, GridError};
pub use instance::instance;
pub use kernel::{Kernel, KernelCall, call};
pub use lint::{ScheduleLint, schedule_lints};
pub use memory::{
    Argument, Arguments, Columns, Element, FieldData, HostData, SliceData, SliceMutData, Structs, borrow_structs,
    pass_struct, share_structs,
};
pub use observe::{Issue, IssueTrace, Observer, WarpId};
pub use policy::{
    AtPostDominators, BarrierMarker, BlockCompaction, Branch, ByPc, ConvergenceBarrier, ConvergenceBarriers,
    CoreBranch, CorePolicy, CoreSplit, CoreStart, DisableState, Dwf, DwfConfig, DwfHeap, DwfTable, FallThroughFirst,
    Figure, FigureTotal, FormedWarp, Hanoi, HomeLanes, Ipdom, LargerFirst, LoadSplits, LowestPc, Majority, Mimd, MinPc,
    Minority, MostLanes, NoReconvergence, Oldest, PathOrder, PdomPriority, Policy, PolicyVisitor, Random,
    ReconvergencePolicy, Remerge, RoundRobin, SmallerFirst, Split, SplitPlace, SplitSchedule, Splits, StackEntry,
    StackLess, Stops, TakenFirst, Tally, ThreadMask, TimeStamp, Token, TokenKind, TokenStack, TokenState, WarpPart,
    WarpPool, WarpSchedule, WarpSplit, WarpStart, WarpSubdivision,
};
pub use races::RaceCheck;
pub use report::{LineReport, PolicyFigure, Report};
pub use study::{LimitStudy, Oracle, ReconvergencePoint, StudyError};
