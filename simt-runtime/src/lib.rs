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

mod config;
mod error;
mod flow;
mod grid;
mod kernel;
mod lanes;
mod launch;
mod memory;
mod observe;
mod policy;
mod report;
mod setup;
#[cfg(feature = "testing")]
pub mod testing;

pub use config::{ConfigError, GpuConfig};
pub use error::{ArgumentError, ArgumentProblem, Fault, FaultKind, LaunchError, ProgramError, StepLimit, ThreadPlace};
pub use grid::{Dim3, Grid, GridError};
pub use kernel::{Kernel, KernelCall, call};
pub use launch::Gpu;
pub use memory::{Argument, Element};
pub use observe::{Issue, IssueTrace, Observer, WarpId};
pub use policy::{Branch, Ipdom, MinPc, NoReconvergence, ReconvergencePolicy, TokenStack, WarpSplit};
pub use report::{LineReport, Report};
