//! Write a GPU kernel as a Rust function, run it on the CPU under a model of a SIMT machine, and see where its lanes go
//! idle and why.

// The expansion of `#[kernel]` names this crate as `::simt`, also in this crate's own tests and docs.
extern crate self as simt;

pub use simt_core as core;
pub use simt_core::program::Program;
pub use simt_macros::kernel;
pub use simt_runtime::*;

/// What a kernel's file needs: `use simt::prelude::*;`.
pub mod prelude {
    pub use crate::{
        Gpu, GpuConfig, Grid, Ipdom, KernelCall, LaunchError, MinPc, NoReconvergence, ReconvergencePolicy, Report,
        TokenStack, for_each_policy, kernel,
    };
}

/// What the expansion of `#[kernel]` calls. Not for direct use; may change at any time.
#[doc(hidden)]
pub mod __private {
    pub use simt_core::build::*;
    pub use simt_core::program::Program;
    pub use simt_core::{Source, Span};
    pub use simt_runtime::{Argument, Element, Kernel, call};
}
