//! The parts of a [`LaunchError`](crate::LaunchError), and the errors of configs and grids.

#[doc(inline)]
pub use simt_runtime::{
    AddressProblem, ArgumentError, ArgumentProblem, BadAccess, BarrierProblem, ConfigError, Deadlock,
    DeviceMemoryError, FailedCheck, Fault, FaultKind, GridError, Livelock, LivelockProof, Nearest, ProgramError, Race,
    Reading, SourcePlace, Spin, StepLimit, ThreadPlace, Wait,
};
