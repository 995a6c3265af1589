//! The parts of a [`LaunchError`](crate::LaunchError), and the errors of configs and grids.

#[doc(inline)]
pub use simt_runtime::{
    ArgumentError, ArgumentProblem, BarrierProblem, ConfigError, Deadlock, FailedCheck, Fault, FaultKind, GridError,
    Livelock, LivelockProof, ProgramError, Race, Reading, SourcePlace, Spin, StepLimit, ThreadPlace, Wait,
};
