//! Why a launch failed.
//!
//! An error says what happened, to which thread, on which source line, and what to do. It prints in the layout of rustc.
//! `Debug` prints the same as `Display`, because that is what a failing test shows.

mod render;

use crate::config::ConfigError;
use crate::grid::{Dim3, GridError};
use crate::lanes::PlanError;
use simt_core::program::ValidateError;
use simt_core::{LaneMask, Source, Span};
use std::borrow::Cow;
use std::fmt;

/// Why a launch failed. The caller's slices are as they were before the launch.
///
/// ```
/// use simt::prelude::*;
///
/// #[kernel]
/// fn shift(x: &mut [u32]) {
///     let i = global_id();
///     x[i] = x[i + 1];
/// }
///
/// let mut x = [1, 2, 3, 4];
/// let error = Gpu::<Ipdom>::default().launch(Grid::new(1, 4), shift(&mut x)).unwrap_err();
/// assert_eq!(error.kernel(), "shift");
/// assert_eq!(error.thread().unwrap().global_id, 3);
/// assert!(error.to_string().contains("index 4 is out of bounds of `x`, whose length is 4"));
/// assert_eq!(x, [1, 2, 3, 4]);
/// ```
#[non_exhaustive]
pub enum LaunchError {
    /// No machine can run this grid.
    Grid {
        /// The kernel.
        kernel: Cow<'static, str>,
        /// What is wrong with the grid.
        error: GridError,
    },
    /// No kernel can run on this machine.
    Config {
        /// The kernel.
        kernel: Cow<'static, str>,
        /// What is wrong with the config.
        error: ConfigError,
    },
    /// An argument cannot be passed to the device.
    Argument(Box<ArgumentError>),
    /// The kernel's program is not valid.
    Program(Box<ProgramError>),
    /// A thread did something that has no meaning.
    Fault(Box<Fault>),
    /// A warp issued more instructions than it may.
    StepLimit(Box<StepLimit>),
}

/// An argument that cannot be passed to the device.
///
/// ```
/// use simt::ArgumentProblem;
/// use simt::prelude::*;
///
/// #[kernel]
/// fn nothing(_n: usize) {}
///
/// let error = Gpu::<Ipdom>::default().launch(Grid::new(1, 1), nothing(1 << 40)).unwrap_err();
/// let LaunchError::Argument(error) = error else { panic!("{error}") };
/// assert_eq!(error.param, "_n");
/// assert!(matches!(error.problem, ArgumentProblem::TooBig { index: None, .. }));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ArgumentError {
    /// The kernel.
    pub kernel: Cow<'static, str>,
    /// The parameter.
    pub param: Cow<'static, str>,
    /// What is wrong.
    pub problem: ArgumentProblem,
}

/// What is wrong with an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ArgumentProblem {
    /// A pointer-sized value needs more than 32 bits.
    TooBig {
        /// The value.
        value: String,
        /// Its index, if the argument is a slice.
        index: Option<usize>,
    },
    /// A slice has more elements than 32 bits can index.
    TooLong {
        /// Its length.
        length: usize,
    },
    /// Not as many arguments as parameters, or of other kinds: the call was not made by `#[kernel]`.
    Mismatch,
}

/// A program that cannot run.
///
/// ```
/// use simt::prelude::*;
///
/// const LARGE: usize = 1 << 40;
///
/// #[kernel]
/// fn first(x: &mut [bool]) {
///     x[0] = global_id() < LARGE;
/// }
///
/// let error = Gpu::<Ipdom>::default().launch(Grid::new(1, 1), first(&mut [false])).unwrap_err();
/// let LaunchError::Program(error) = error else { panic!("{error}") };
/// assert!(error.message.contains("1099511627776"));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ProgramError {
    /// The kernel.
    pub kernel: Cow<'static, str>,
    /// What is wrong, in words.
    pub message: String,
    /// Where, if it is at one place.
    pub span: Span,
    pub(crate) source: Source,
}

/// Which thread of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ThreadPlace {
    /// Index of the block.
    pub block: Dim3,
    /// Index of the thread in its block.
    pub thread: Dim3,
    /// What `global_id()` is for the thread.
    pub global_id: usize,
    /// Number of the thread's warp in its block.
    pub warp: usize,
    /// Position of the thread in its warp.
    pub lane: usize,
}

/// A thread did something that has no meaning.
///
/// ```
/// use simt::FaultKind;
/// use simt::prelude::*;
///
/// #[kernel]
/// fn shift(x: &mut [u32]) {
///     let i = global_id();
///     x[i] = x[i + 1];
/// }
///
/// let mut x = [1, 2, 3, 4];
/// let error = Gpu::<Ipdom>::default().launch(Grid::new(1, 4), shift(&mut x)).unwrap_err();
/// let LaunchError::Fault(fault) = error else { panic!("{error}") };
/// assert_eq!((fault.thread.lane, fault.policy, fault.active.count()), (3, "Ipdom", 4));
/// assert!(matches!(fault.kind, FaultKind::OutOfBounds { index: 4, length: 4, write: false, .. }));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Fault {
    /// The kernel.
    pub kernel: Cow<'static, str>,
    /// What the thread did.
    pub kind: FaultKind,
    /// Which thread. If several did so at once, the one in the lowest lane.
    pub thread: ThreadPlace,
    /// The lanes of the warp that were active.
    pub active: LaneMask,
    /// The policy that was running.
    pub policy: &'static str,
    /// Where in the source.
    pub span: Span,
    pub(crate) warp_width: usize,
    pub(crate) source: Source,
}

/// What a thread did.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FaultKind {
    /// Accessed a slice beyond its end.
    OutOfBounds {
        /// The slice's name in the kernel.
        slice: Cow<'static, str>,
        /// The index.
        index: usize,
        /// The slice's length.
        length: usize,
        /// Whether it was written.
        write: bool,
    },
    /// Divided an integer by zero.
    DivisionByZero {
        /// The dividend.
        dividend: String,
    },
    /// Took an integer remainder by zero.
    RemainderByZero {
        /// The dividend.
        dividend: String,
    },
}

/// A warp issued more instructions than it may.
///
/// ```
/// use simt::prelude::*;
///
/// #[kernel]
/// fn wait(flag: &mut [u32]) {
///     if global_id() == 0 {
///         flag[0] = 1;
///     } else {
///         while flag[0] == 0 {}
///     }
/// }
///
/// // The else path runs first, and lane 0 never gets its turn.
/// let mut flag = [0];
/// let gpu = Gpu::<TokenStack>::default().with_step_limit(1000);
/// let error = gpu.launch(Grid::new(1, 2), wait(&mut flag)).unwrap_err();
/// let LaunchError::StepLimit(stop) = error else { panic!("{error}") };
/// assert_eq!((stop.limit, stop.thread.lane), (1000, 1));
/// assert_eq!(stop.splits.len(), 2);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StepLimit {
    /// The kernel.
    pub kernel: Cow<'static, str>,
    /// How many instructions a warp may issue.
    pub limit: u64,
    /// Index of the block.
    pub block: Dim3,
    /// Number of the warp in its block.
    pub warp: usize,
    /// The thread in the lowest active lane.
    pub thread: ThreadPlace,
    /// The policy that was running.
    pub policy: &'static str,
    /// Where the warp's lanes were, the active ones first.
    pub splits: Vec<(LaneMask, Span)>,
    pub(crate) warp_width: usize,
    pub(crate) source: Source,
}

impl LaunchError {
    /// The kernel that was launched.
    pub fn kernel(&self) -> &str {
        match self {
            Self::Grid { kernel, .. } | Self::Config { kernel, .. } => kernel,
            Self::Argument(error) => &error.kernel,
            Self::Program(error) => &error.kernel,
            Self::Fault(fault) => &fault.kernel,
            Self::StepLimit(stop) => &stop.kernel,
        }
    }

    /// The source line that it happened on, if it happened on one.
    pub fn line(&self) -> Option<u32> {
        let span = match self {
            Self::Grid { .. } | Self::Config { .. } | Self::Argument(_) => return None,
            Self::Program(error) => error.span,
            Self::Fault(fault) => fault.span,
            Self::StepLimit(stop) => stop.splits.first()?.1,
        };
        span.is_known().then_some(span.line)
    }

    /// The thread that it happened to, if it happened to one.
    pub fn thread(&self) -> Option<ThreadPlace> {
        match self {
            Self::Fault(fault) => Some(fault.thread),
            Self::StepLimit(stop) => Some(stop.thread),
            Self::Grid { .. } | Self::Config { .. } | Self::Argument(_) | Self::Program(_) => None,
        }
    }

    pub(crate) fn program(error: &ValidateError, source: &Source) -> Self {
        Self::Program(Box::new(ProgramError {
            kernel: error.kernel().to_string().into(),
            message: error.message(),
            span: error.span(),
            source: source.clone(),
        }))
    }

    pub(crate) fn plan(error: PlanError, kernel: Cow<'static, str>, source: &Source) -> Self {
        Self::Program(Box::new(ProgramError {
            kernel,
            message: error.to_string(),
            span: Span::default(),
            source: source.clone(),
        }))
    }
}

impl std::error::Error for LaunchError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Grid { error, .. } => Some(error),
            Self::Config { error, .. } => Some(error),
            Self::Argument(_) | Self::Program(_) | Self::Fault(_) | Self::StepLimit(_) => None,
        }
    }
}

impl fmt::Display for LaunchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&render::render(self))
    }
}

impl fmt::Debug for LaunchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A test that returns the error prints `Error: ` before it.
        write!(f, "launch failed\n{self}")
    }
}
