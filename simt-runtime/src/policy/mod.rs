//! Reconvergence policies: which lanes of a warp issue next, and where lanes that parted meet again.
//!
//! A policy is one file and one row of [`for_each_policy!`]. It sees program counters and lane masks, never values: the
//! flow loop tells it what the last control instruction did and asks what to run next.
//!
//! | policy | mechanism | use it to |
//! |---|---|---|
//! | [`Ipdom`] | a stack of paths that meet at immediate post-dominators | model what simulators and textbooks call the SIMT stack |
//! | [`TokenStack`] | ESOP'12's tokens and disable masks, else path first | follow NVIDIA's structured mechanism and its formal semantics |
//! | [`NoReconvergence`] | lanes that parted never meet again | see what reconvergence is worth |
//! | [`Hanoi`] | Turing's barrier registers and two stacks; `yield` runs the sibling path | model Turing as its paper does |
//! | [`ConvergenceBarriers`] | barriers as `ptxas` places them, groups that take turns | model independent thread scheduling, since Volta |
//! | [`MinPc`] | the lanes at the lowest address go first, and no lane waits for another | model stack-less machines; needs no compiler support |
//! | [`StackLess`] | splits run as a schedule says, and merge where they happen to meet | see what a kernel needs of its machine: fairness, joins |
//! | [`Mimd`] | every lane issues alone | have an upper bound |
//! | [`WarpSubdivision`] | both sides of a branch run in turns, and meet at the immediate post-dominator | see what a stack's order costs |
//! | [`BlockCompaction`] | a stack for the block; its threads are packed into warps at each divergence | regroup threads and keep regular code in its warps |
//! | [`Dwf`] | warps are formed anew from the threads of all warps | see what regrouping threads is worth |

mod any;
mod barriers;
mod block;
mod block_compaction;
mod boxed;
mod branch;
pub(crate) mod checked;
mod convergence_barriers;
mod dwf;
mod figure;
mod hanoi;
mod ipdom;
mod mimd;
mod min_pc;
mod no_reconvergence;
mod order;
mod parked;
mod spares;
mod stack_less;
mod start;
mod stops;
mod thread_mask;
mod token_stack;
mod warp_subdivision;

pub use any::{Policy, PolicyVisitor};
pub use barriers::ConvergenceBarrier;
pub use block::{BlockBranch, BlockPolicy, BlockSplit, BlockStart, WarpPart};
pub use block_compaction::BlockCompaction;
pub(crate) use boxed::{BoxedBlockPolicy, BoxedWarpPolicy};
pub use branch::{BarrierMarker, Branch, WarpSplit};
pub use convergence_barriers::ConvergenceBarriers;
pub use dwf::{
    Dwf, DwfConfig, DwfHeap, DwfTable, FormedWarp, HomeLanes, LowestPc, Majority, Minority, PdomPriority, TimeStamp,
    WarpPool, WarpSchedule,
};
#[cfg(test)]
use figure::gathered;
pub use figure::{Figure, FigureTotal, Tally};
pub use hanoi::Hanoi;
pub use ipdom::{Ipdom, StackEntry};
pub use mimd::Mimd;
pub use min_pc::MinPc;
pub use no_reconvergence::NoReconvergence;
pub use order::{FallThroughFirst, LargerFirst, PathOrder, SmallerFirst, TakenFirst};
pub(crate) use stack_less::mixed;
pub use stack_less::{MostLanes, Oldest, Random, RoundRobin, Split, SplitPlace, SplitSchedule, Splits, StackLess};
pub use start::WarpStart;
pub use stops::Stops;
pub use thread_mask::ThreadMask;
pub use token_stack::{DisableState, Token, TokenKind, TokenStack, TokenState};
pub use warp_subdivision::{AtPostDominators, ByPc, LoadSplits, Remerge, WarpSubdivision};

#[cfg(doc)]
use crate::policy::checked::Checks;
use crate::policy::checked::{BrokenCheck, Guard};
use simt_core::LaneMask;
use simt_core::code::{JumpKind, Marker, Markers, Pc};

/// Runs a block of code once per policy type, so that a test or bench covers them all in one line.
///
/// ```
/// use simt::prelude::*;
///
/// #[kernel]
/// fn squares(x: &mut [u32]) {
///     let i = global_id();
///     x[i] = (i * i) as u32;
/// }
///
/// let mut names = Vec::new();
/// for_each_policy!(P => {
///     let mut x = [0; 8];
///     Gpu::<P>::default().launch(Grid::new(1, 8), squares(&mut x))?;
///     assert_eq!(x, [0, 1, 4, 9, 16, 25, 36, 49]);
///     names.push(P::NAME);
/// });
/// assert!(names.contains(&"Ipdom"));
/// # Ok::<(), LaunchError>(())
/// ```
#[macro_export]
macro_rules! for_each_policy {
    ($policy:ident => $body:expr) => {
        $crate::for_each_warp_policy!($policy => $body);
        $crate::for_each_block_policy!($policy => $body);
    };
}

/// As [`for_each_policy!`], for those that keep the threads of a warp together: each is a [`WarpPolicy`]. Of a
/// policy with a parameter, the variants that differ most are listed; the rest is tested in `tests/policies/conformance.rs`.
#[macro_export]
macro_rules! for_each_warp_policy {
    ($policy:ident => $body:expr) => {
        $crate::for_each_policy_in!(
            $policy,
            $body,
            Ipdom,
            Ipdom<$crate::SmallerFirst>,
            TokenStack,
            TokenStack<$crate::FallThroughFirst>,
            NoReconvergence,
            MinPc,
            StackLess<$crate::RoundRobin>,
            StackLess<$crate::Oldest>,
            StackLess<$crate::MostLanes>,
            StackLess<$crate::Random>,
            Mimd,
            WarpSubdivision,
            Hanoi,
            ConvergenceBarriers
        )
    };
}

/// As [`for_each_policy!`], for those that regroup the threads of several warps: each is a [`BlockPolicy`].
#[macro_export]
macro_rules! for_each_block_policy {
    ($policy:ident => $body:expr) => {
        $crate::for_each_policy_in!(
            $policy,
            $body,
            Dwf<$crate::Majority>,
            Dwf<$crate::Minority>,
            Dwf<$crate::TimeStamp>,
            Dwf<$crate::LowestPc>,
            Dwf<$crate::PdomPriority>,
            BlockCompaction
        )
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! for_each_policy_in {
    ($policy:ident, $body:expr, $($name:ident $(<$of:ty>)?),*) => {{
        $({
            #[allow(dead_code, reason = "the block need not name the policy")]
            type $policy = $crate::$name $(<$of>)?;
            $body;
        })*
    }};
}

/// Decides which lanes of a warp issue next, and where lanes that parted meet again.
///
/// * Law 1: `current` is never empty, and is `None` only when all lanes have ended or wait.
/// * Law 2: `splits` partition the live lanes, `current` first.
/// * Law 3: after each step every lane's address is its own successor.
/// * Law 4: two policies that are equal go on in the same way; so statistics have no part in equality. A warp that comes
///   back to an earlier state repeats itself for ever, which is how a livelock is proved. The proof runs on copies of
///   policies, which no observer sees.
/// * Law 5: a program all of whose loops end without help from other threads ends.
///
/// A policy of a user's is held to the first three laws: a launch under one that sends lanes to where they do not belong, or
/// forgets some, ends with [`LaunchError::Policy`](crate::LaunchError::Policy), at the latest when no lane runs. The
/// policies of this library are not held to them, and pay nothing. [`Checks`](crate::Checks) check both kinds at every step:
/// law 1 is I4, law 2 is I3, I7, T1, T4 and T6, law 3 is I1 and I2.
///
/// ```
/// use simt::core::LaneMask;
/// use simt::core::code::{Markers, Pc};
/// use simt::prelude::*;
/// use simt::{Branch, WarpSplit};
///
/// /// Each lane runs alone.
/// #[derive(Clone, Debug, PartialEq)]
/// struct Serial(Vec<WarpSplit>);
///
/// impl WarpPolicy for Serial {
///     const NAME: &'static str = "Serial";
///     const MARKERS: Markers = Markers::None;
///
///     fn start(split: WarpSplit) -> Self {
///         Self(split.mask.lanes().map(|lane| WarpSplit { mask: LaneMask::lane(lane), ..split }).collect())
///     }
///     fn current(&self) -> Option<WarpSplit> {
///         self.0.last().copied()
///     }
///     fn advance(&mut self, next: Pc) {
///         self.0.last_mut().expect("a lane is current").pc = next;
///     }
///     fn branch(&mut self, branch: Branch) {
///         self.advance(if branch.taken.is_empty() { branch.next } else { branch.target });
///     }
///     fn exit(&mut self) {
///         self.0.pop();
///     }
///     fn splits(&self) -> Vec<WarpSplit> {
///         self.0.iter().rev().copied().collect()
///     }
/// }
///
/// #[kernel]
/// fn halve(x: &mut [u32]) {
///     let i = global_id();
///     while x[i] > i as u32 {
///         x[i] /= 2;
///     }
/// }
///
/// let mut x = [100; 32];
/// let report = Gpu::<Serial>::default().launch(Grid::new(1, 32), halve(&mut x))?;
/// assert_eq!(report.simd_efficiency(), 1.0 / 32.0);
/// # Ok::<(), LaunchError>(())
/// ```
pub trait WarpPolicy: Sized + Clone + PartialEq + std::fmt::Debug + 'static {
    /// Name in reports.
    const NAME: &'static str;
    /// The markers that the code must carry.
    const MARKERS: Markers;
    /// Where turns end in code without markers.
    const STOPS: Stops = Stops::AtTargets;
    /// Whether every lane that can go on does so after finitely many issues of its warp: weak fairness. A launch that ends
    /// under every fair schedule then ends under this policy.
    const FAIR: bool = false;
    /// How many lanes the pipeline has down which an issue goes, if they are not as many as those of the warp: see
    /// [`Report::lanes_per_issue`](crate::Report::lanes_per_issue).
    const LANES_PER_ISSUE: Option<usize> = None;

    /// With a clock: whether a split can issue while another is under way. [`select`](Self::select) then chooses among those
    /// that are free.
    const OVERLAPS: bool = false;

    /// With a clock: whether [`divide`](Self::divide) does something.
    const DIVIDES: bool = false;

    /// Whether the policy's steps are compared with where its lanes are.
    #[doc(hidden)]
    const GUARD: Guard = Guard::ON;

    /// A warp whose lanes all stand at the entry.
    fn start(split: WarpSplit) -> Self;

    /// As [`start`](Self::start), for a policy that depends on the number of its warp, or on the machine.
    #[inline]
    fn start_on(split: WarpSplit, _start: WarpStart<'_>) -> Self {
        Self::start(split)
    }

    /// The lanes that issue next; `None` when all have exited.
    fn current(&self) -> Option<WarpSplit>;

    /// With a clock: of the lanes, those of `free` have nothing under way. Makes a split current all of whose lanes are
    /// free, if there is one and the mechanism can choose, and returns whether the current one is free.
    #[inline]
    fn select(&mut self, free: LaneMask) -> bool {
        self.current().is_some_and(|split| split.mask.is_subset(free))
    }

    /// With a clock: of lanes that have loaded, those of `late` wait longer for it than others do. May make two splits of
    /// one, so that the others need not wait, and returns whether it has. All lanes stay where they are.
    #[inline]
    fn divide(&mut self, _late: LaneMask) -> bool {
        false
    }

    /// The current lanes come to `next` without a branch.
    fn advance(&mut self, next: Pc);

    /// The current lanes executed a conditional branch.
    fn branch(&mut self, branch: Branch);

    /// The current lanes ended.
    fn exit(&mut self);

    /// The current lanes jumped, maybe by a `break` or `continue`.
    #[inline(always)]
    fn jump(&mut self, _kind: JumpKind, target: Pc) {
        self.advance(target);
    }

    /// The current lanes call the function at `target`; the address behind the call is `back`.
    #[inline]
    fn call(&mut self, target: Pc, _back: Pc) {
        self.advance(target);
    }

    /// Of the current lanes, those of `returning` return to `back` from the function that they called last. The others, if
    /// there are any, stay where they are, at `at`: they were called from elsewhere. That comes up only if the policy lets
    /// lanes merge that were called from different places.
    #[inline]
    fn ret(&mut self, returning: LaneMask, back: Pc, at: Pc) {
        if self.current().is_some_and(|split| split.mask == returning) {
            self.advance(back);
        } else {
            self.branch(Branch { taken: returning, target: back, next: at, meet: None, leaves: false });
        }
    }

    /// The current lanes cannot go on before others of the warp have come; makes others current, if there are any that can
    /// run first, and returns true. A mechanism that runs no other lanes before the current ones returns false and does
    /// nothing.
    #[inline]
    fn park(&mut self) -> bool {
        false
    }

    /// Of the parked lanes, those of `lanes` go on at `next`.
    #[inline]
    fn wake(&mut self, _lanes: LaneMask, _next: Pc) {}

    /// The current lanes executed a marker of tokens; `next` is the address behind it, or of a `sync` where it leads: see
    /// [`Code::sync_targets`](simt_core::code::Code::sync_targets).
    #[inline(always)]
    fn marker(&mut self, _marker: Marker, next: Pc) {
        self.advance(next);
    }

    /// The current lanes executed a marker of convergence barriers; `next` is the address behind it. Returns the
    /// participants that [`BarrierMarker::Save`] saves.
    #[inline(always)]
    fn barrier(&mut self, _marker: BarrierMarker, next: Pc) -> LaneMask {
        self.advance(next);
        LaneMask::EMPTY
    }

    /// All live splits, the current one first, for [`Checks`] and for error messages. A lane that waits is listed at the
    /// address where it will go on.
    fn splits(&self) -> Vec<WarpSplit>;

    /// Reports the figures that it has counted when the warp has ended.
    #[inline]
    fn figures(&self, _tell: &mut dyn FnMut(Figure)) {}

    /// The stack and the disable states of a mechanism with tokens, with which [`Checks`](crate::Checks) check more.
    #[inline]
    fn token_state(&self) -> Option<TokenState<'_>> {
        None
    }

    /// The check that the policy inside has broken, if this one checks another.
    #[doc(hidden)]
    #[inline(always)]
    fn broken(&self) -> Option<&BrokenCheck> {
        None
    }
}
