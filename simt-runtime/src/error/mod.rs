//! The reasons why a launch failed.
//!
//! An error says what happened, to which thread, on which source line, and what to do. It prints in the layout of rustc.
//! `Debug` prints the same as `Display`, because that is what a failing test shows.

mod check;
mod fault;
mod race;
mod refusal;
mod render;
mod stop;

pub use crate::engine::{BarrierProblem, LivelockProof};
pub use check::FailedCheck;
pub use fault::{Fault, FaultKind, ThreadPlace};
pub use race::Race;
pub use refusal::{ArgumentError, ArgumentProblem, ProgramError};
pub use stop::{Deadlock, Livelock, Reading, Spin, StepLimit, Wait};

use crate::config::ConfigError;
use crate::environment::Stuck;
use crate::grid::GridError;
use crate::memory::{DeviceMemoryError, Prints};
use crate::plan::PlanError;
use simt_core::code::{Code, Pc};
use simt_core::program::ValidateError;
use simt_core::{Source, Span};
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
        /// The problem of the grid.
        error: GridError,
    },
    /// No kernel can run on this machine.
    Config {
        /// The kernel.
        kernel: Cow<'static, str>,
        /// The problem of the config.
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
    /// A block does not end: its warps repeat themselves, or have worked for long without progress.
    Livelock(Box<Livelock>),
    /// Threads wait for others that never come.
    Deadlock(Box<Deadlock>),
    /// A launch with a clock took longer than it may.
    CycleLimit(Box<StepLimit>),
    /// All warps together have done more work than they may.
    WorkLimit(Box<StepLimit>),
    /// A launch took more time of the host than it may.
    TimeLimit(Box<StepLimit>),
    /// An invariant of the machine does not hold.
    Check(Box<FailedCheck>),
    /// A user's own policy breaks a law of its trait.
    Policy(Box<FailedCheck>),
    /// The memory of the device cannot be as the kernel needs it.
    Device {
        /// The kernel.
        kernel: Cow<'static, str>,
        /// The problem.
        error: DeviceMemoryError,
    },
    /// An operation of the memory environment could not go on.
    Memory {
        /// The kernel.
        kernel: Cow<'static, str>,
        /// The reason.
        stuck: Stuck,
    },
}

/// A place in the source of a kernel, or of a function that it calls.
///
/// Its default is no place at all.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct SourcePlace {
    /// The lines and columns in the file.
    pub span: Span,
    pub(crate) source: Source,
}

impl SourcePlace {
    /// The place of an instruction; no place if the address is not in the code.
    pub(crate) fn at(code: &Code, pc: Pc) -> Self {
        match code.spans.get(pc.index()) {
            Some(&span) => Self { span, source: code.source_at(pc).clone() },
            None => Self::default(),
        }
    }

    /// The file, as the compiler names it.
    pub fn file(&self) -> &str {
        &self.source.file
    }

    /// The text of the first line, if the source has it.
    pub fn text(&self) -> Option<&str> {
        self.source.line(self.span.line)
    }
}

/// An element as a kernel names it, where one index is of so many: `p[2].x[1]`, of the array `x` in structs, is number 5 of `p.x`.
fn element_name(name: &str, index: usize, row: usize) -> String {
    let (slice, field) = name.split_at(name.find('.').unwrap_or(name.len()));
    match row {
        1 => format!("{slice}[{index}]{field}"),
        _ => format!("{slice}[{}]{field}[{}]", index / row, index % row),
    }
}

/// Functions that threads were in, each with where it was called, the innermost first.
pub(crate) type Called = Vec<(Cow<'static, str>, SourcePlace)>;

impl LaunchError {
    /// The kernel that was launched.
    pub fn kernel(&self) -> &str {
        match self {
            Self::Grid { kernel, .. }
            | Self::Config { kernel, .. }
            | Self::Device { kernel, .. }
            | Self::Memory { kernel, .. } => kernel,
            Self::Argument(error) => &error.kernel,
            Self::Program(error) => &error.kernel,
            Self::Fault(fault) => &fault.kernel,
            Self::StepLimit(stop) | Self::CycleLimit(stop) | Self::WorkLimit(stop) | Self::TimeLimit(stop) => {
                &stop.kernel
            }
            Self::Livelock(livelock) => &livelock.kernel,
            Self::Deadlock(deadlock) => &deadlock.kernel,
            Self::Check(failed) | Self::Policy(failed) => &failed.kernel,
        }
    }

    /// The source line of the error, if it has one.
    pub fn line(&self) -> Option<u32> {
        let span = match self {
            Self::Grid { .. } | Self::Config { .. } | Self::Argument(_) | Self::Device { .. } | Self::Memory { .. } => {
                return None;
            }
            Self::Program(error) => error.span,
            Self::Fault(fault) => fault.span,
            Self::StepLimit(stop) | Self::CycleLimit(stop) | Self::WorkLimit(stop) | Self::TimeLimit(stop) => {
                stop.splits.first()?.1.span
            }
            Self::Livelock(livelock) => livelock.spins.first()?.place.span,
            Self::Deadlock(deadlock) => deadlock.waits.first()?.place.span,
            Self::Check(failed) | Self::Policy(failed) => failed.place.span,
        };
        span.is_known().then_some(span.line)
    }

    /// The address of the instruction that could not be executed, if it was one.
    pub fn pc(&self) -> Option<Pc> {
        match self {
            Self::Fault(fault) => Some(fault.pc),
            Self::Check(failed) | Self::Policy(failed) => Some(failed.pc),
            _ => None,
        }
    }

    /// The thread of the error, if it has one.
    pub fn thread(&self) -> Option<ThreadPlace> {
        match self {
            Self::Fault(fault) => Some(fault.thread),
            Self::StepLimit(stop) | Self::CycleLimit(stop) | Self::WorkLimit(stop) | Self::TimeLimit(stop) => {
                Some(stop.thread)
            }
            Self::Livelock(livelock) => Some(livelock.thread),
            Self::Check(failed) | Self::Policy(failed) => failed.thread,
            Self::Grid { .. }
            | Self::Config { .. }
            | Self::Argument(_)
            | Self::Program(_)
            | Self::Deadlock(_)
            | Self::Device { .. }
            | Self::Memory { .. } => None,
        }
    }

    /// Keeps the lines that the thread had printed, of blocks of so many threads.
    pub(crate) fn printed(&mut self, prints: &Prints, threads: usize) {
        let of = |thread: ThreadPlace| prints.of(thread.global_id / threads, thread.global_id % threads);
        match self {
            Self::Fault(fault) => fault.prints = of(fault.thread),
            Self::StepLimit(stop) | Self::CycleLimit(stop) | Self::WorkLimit(stop) | Self::TimeLimit(stop) => {
                stop.prints = of(stop.thread);
            }
            Self::Livelock(livelock) => livelock.prints = of(livelock.thread),
            Self::Check(failed) | Self::Policy(failed) => failed.prints = failed.thread.map_or_else(Vec::new, of),
            Self::Grid { .. }
            | Self::Config { .. }
            | Self::Argument(_)
            | Self::Program(_)
            | Self::Deadlock(_)
            | Self::Device { .. }
            | Self::Memory { .. } => {}
        }
    }

    pub(crate) fn program(error: &ValidateError) -> Self {
        Self::Program(Box::new(ProgramError {
            kernel: error.kernel().to_string().into(),
            function: error.function().map(|name| name.to_string().into()),
            message: error.message(),
            span: error.span(),
            source: error.source_text().clone(),
        }))
    }

    pub(crate) fn plan(error: PlanError, kernel: Cow<'static, str>, source: &Source) -> Self {
        Self::Program(Box::new(ProgramError {
            kernel,
            function: None,
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
            Self::Device { error, .. } => Some(error),
            Self::Memory { stuck, .. } => Some(stuck),
            Self::Argument(_)
            | Self::Program(_)
            | Self::Fault(_)
            | Self::StepLimit(_)
            | Self::Livelock(_)
            | Self::Deadlock(_)
            | Self::CycleLimit(_)
            | Self::WorkLimit(_)
            | Self::TimeLimit(_)
            | Self::Check(_)
            | Self::Policy(_) => None,
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
