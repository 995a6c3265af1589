//! A check that failed, or a law that a policy broke.

use super::{SourcePlace, ThreadPlace};
use crate::grid::Dim3;
use crate::policy::checked::Check;
use crate::policy::{Token, WarpSplit};
use simt_core::LaneMask;
use simt_core::code::Pc;
use std::borrow::Cow;

/// An invariant of the machine does not hold: see [`Checks`](crate::Checks). What must hold of any policy
/// ([`WarpPolicy`](crate::WarpPolicy) has the laws) is [`LaunchError::Policy`](crate::LaunchError::Policy)
/// if no check has asked for it.
///
/// The kernel's source is not to blame, and cannot be: the policy has a bug, or code that was written by hand has markers
/// that its policy does not understand as they were meant.
///
/// ```
/// use simt::core::code::{Markers, Pc};
/// use simt::prelude::*;
/// use simt::checks::Check;
/// use simt::policy::{Branch, WarpSplit, WarpStart};
///
/// /// Forgets lanes.
/// #[derive(Clone, Debug, PartialEq)]
/// struct Forgetful(Option<WarpSplit>);
///
/// impl WarpPolicy for Forgetful {
///     const NAME: &'static str = "Forgetful";
///     const MARKERS: Markers = Markers::None;
///
///     fn start(start: WarpStart<'_>) -> Self {
///         Self(Some(start.split))
///     }
///     fn current(&self) -> Option<WarpSplit> {
///         self.0
///     }
///     fn advance(&mut self, next: Pc) {
///         self.0 = self.0.map(|split| WarpSplit { pc: next, ..split });
///     }
///     fn branch(&mut self, branch: Branch) {
///         self.0 = Some(WarpSplit { pc: branch.target, mask: branch.taken });
///     }
///     fn exit(&mut self) {
///         self.0 = None;
///     }
///     fn splits(&self) -> Vec<WarpSplit> {
///         self.0.into_iter().collect()
///     }
/// }
///
/// #[kernel]
/// fn odd(x: &mut [u32]) {
///     let i = global_id();
///     if i % 2 == 1 {
///         x[i] = 1;
///     }
/// }
///
/// let gpu = Gpu::<Forgetful>::default().with_checks(Checks::all());
/// let error = gpu.launch(Grid::new(1, 4), odd(&mut [0; 4])).unwrap_err();
/// let LaunchError::Check(failed) = error else { panic!("{error}") };
/// // Of the lanes 0 and 2, or of 1 and 3, nobody knows any more.
/// assert_eq!((failed.check, failed.policy), (Check::I3, "Forgetful"));
/// assert_eq!(failed.found, "lane 1 has not ended, and is in no split");
///
/// // Without checks it is found when no lane runs any more.
/// let gpu = gpu.with_checks(Checks::none());
/// let error = gpu.launch(Grid::new(1, 4), odd(&mut [0; 4])).unwrap_err();
/// let LaunchError::Policy(failed) = error else { panic!("{error}") };
/// assert_eq!((failed.check, failed.lanes.digits(4)), (Check::I4, "0101".to_string()));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FailedCheck {
    /// The check.
    pub check: Check,
    /// The kernel.
    pub kernel: Cow<'static, str>,
    /// The policy that was running.
    pub policy: &'static str,
    /// The state that was found instead, in words.
    pub found: String,
    /// The instruction whose execution broke it, or was about to.
    pub pc: Pc,
    /// The instruction's place in the source.
    pub place: SourcePlace,
    /// Index of the block; `None` if the code breaks it, before any instruction has run.
    pub block: Option<Dim3>,
    /// Number of the warp in the block; `None` if the code breaks it.
    pub warp: Option<usize>,
    /// The lanes of the warp that it fails for; `None` if it is about the warp.
    pub lanes: LaneMask,
    /// The thread of the lowest lane that it fails for. If it is about the warp, that of the lowest lane that executed. None
    /// if that lane has no thread.
    pub thread: Option<ThreadPlace>,
    /// Where that thread would be if it ran alone, if it has not ended.
    pub thread_pc: Option<Pc>,
    /// The lanes that executed the instruction.
    pub executed: LaneMask,
    /// Where the lanes are by the policy, those that run first.
    pub splits: Vec<WarpSplit>,
    /// The stack of a policy with tokens, the top last.
    pub tokens: Vec<Token>,
    /// The lines that the thread had printed.
    pub prints: Vec<String>,
    pub(crate) warp_width: usize,
}
