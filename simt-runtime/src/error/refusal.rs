//! The reasons why a launch is refused before its first thread runs.

use simt_core::{Source, Span};
use std::borrow::Cow;

/// An argument that cannot be passed to the device.
///
/// ```
/// use simt::error::ArgumentProblem;
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
    /// The problem.
    pub problem: ArgumentProblem,
}

/// The problem of an argument.
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
    /// Not as many arguments as parameters: the call was not made by `#[kernel]`.
    Count {
        /// How many parameters the kernel has.
        expected: usize,
        /// How many arguments were passed.
        found: usize,
    },
    /// An argument of another kind than the parameter: the call was not made by `#[kernel]`.
    Mismatch {
        /// The parameter, as the kernel declares it.
        expected: String,
        /// The argument that was passed.
        found: String,
    },
    /// The atomics are in use by another launch, and this one would wait for it without end: it was started from there, by
    /// an observer or a policy, or that launch waits for one that this thread is in.
    InUse {
        /// The kernel of the other launch.
        by: Cow<'static, str>,
        /// Whether another thread launched it.
        elsewhere: bool,
    },
    /// The slice overlaps with another argument that has atomics of another type, which takes `unsafe` code.
    OtherAtomics {
        /// The other parameter.
        with: Cow<'static, str>,
    },
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
    /// The function that is wrong; `None` if it is the kernel itself.
    pub function: Option<Cow<'static, str>>,
    /// The problem, in words.
    pub message: String,
    /// The place, if it is at one.
    pub span: Span,
    pub(crate) source: Source,
}
