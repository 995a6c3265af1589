//! Policies that keep the threads of a warp together.

use super::{BarrierMarker, Branch, Ends, Figure, StatePart, Stops, WarpChecking, WarpSplit, WarpStart, WarpTiming};
use simt_core::LaneMask;
use simt_core::code::{JumpKind, Marker, Markers, Pc};

/// Decides which lanes of a warp issue next, and where lanes that parted meet again.
///
/// * Law 1: `current` is never empty, and is `None` only when all lanes have ended or wait.
/// * Law 2: `splits` partition the live lanes, `current` first.
/// * Law 3: after each step every lane's address is its own successor.
/// * Law 4: two policies that are equal go on in the same way; so statistics have no part in it. A warp that comes back
///   to where it was goes round in a circle, and so a livelock is proved. That is tried out on copies of policies, of which
///   no observer hears.
/// * Law 5: a program all of whose loops end without help from other threads ends.
///
/// A policy of one's own is held to the first three: a launch under one that sends lanes to where they do not belong, or
/// forgets some, ends with [`LaunchError::Policy`](crate::LaunchError::Policy), at the latest when no lane runs. The policies
/// of this library are not, and pay nothing. [`Checks`](crate::Checks) check both kinds at every step: law 1 is I4, law 2 is
/// I3, I7, T1, T4 and T6, law 3 is I1 and I2.
///
/// A mechanism is six methods: `start`, `current`, `advance`, `branch`, `exit` and `splits`. All else has a default.
///
/// ```
/// use simt::core::LaneMask;
/// use simt::core::code::{Markers, Pc};
/// use simt::prelude::*;
/// use simt::policy::{Branch, WarpSplit, WarpStart};
///
/// /// Each lane runs alone.
/// #[derive(Clone, Debug, PartialEq)]
/// struct Serial(Vec<WarpSplit>);
///
/// impl WarpPolicy for Serial {
///     const NAME: &'static str = "Serial";
///     const MARKERS: Markers = Markers::None;
///
///     fn start(start: WarpStart<'_>) -> Self {
///         let WarpSplit { pc, mask } = start.split;
///         Self(mask.lanes().map(|lane| WarpSplit { pc, mask: LaneMask::lane(lane) }).collect())
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
    /// Which programs of the page on termination end, if that is known.
    const ENDS: Option<Ends> = None;
    /// What a clock may ask of it.
    const TIMING: WarpTiming<Self> = WarpTiming::DEFAULT;
    /// What [`Checks`](crate::Checks) may ask of it.
    const CHECKING: WarpChecking<Self> = WarpChecking::GUARDED;
    /// Takes a policy whose warp has ended back to the start, for another warp whose lanes all stand there, if that costs less
    /// than to start another policy. What it counts, it goes on counting, and tells it when the last of its warps has ended.
    ///
    /// Asked where policies run without being checked: those of users, whose steps are compared, start anew for each warp.
    const AGAIN: Option<fn(&mut Self, WarpSplit)> = None;

    /// A warp whose lanes all stand at the entry.
    fn start(start: WarpStart<'_>) -> Self;

    /// The lanes that issue next; `None` when all have ended or wait.
    fn current(&self) -> Option<WarpSplit>;

    /// The current lanes come to `next` without a branch.
    fn advance(&mut self, next: Pc);

    /// The current lanes have executed a conditional branch.
    fn branch(&mut self, branch: Branch);

    /// The current lanes have ended.
    fn exit(&mut self);

    /// All live splits, the current one first, for [`Checks`](crate::Checks) and for error messages. A lane that waits is
    /// listed at the address where it will go on.
    fn splits(&self) -> Vec<WarpSplit>;

    /// The current lanes have jumped, maybe by a `break` or `continue`. Not told of jumps that a run of code follows on its way:
    /// between two turns of a loop there is always a branch, or a jump that is told.
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

    /// The current lanes cannot go on before others of the warp have come. Makes others current, if there are any that can
    /// run first, and returns true. A mechanism that runs no others before the current lanes returns false and does nothing.
    #[inline]
    fn park(&mut self) -> bool {
        false
    }

    /// No lane of the warp can go on: the current ones, if there are any, could not be parked. Of lanes that the mechanism holds
    /// back where paths meet, and from where `ends` says that nothing is left to do but to end, it makes some current, parks the
    /// current ones and returns true; if there are none it returns false and does nothing. What the others wait for does not
    /// wait for lanes that have ended.
    #[inline]
    fn release(&mut self, _ends: &dyn Fn(Pc) -> bool) -> bool {
        false
    }

    /// Of the parked lanes, those of `lanes` go on at `next`. They may be a part of those that were parked at once.
    #[inline]
    fn wake(&mut self, _lanes: LaneMask, _next: Pc) {}

    /// The current lanes have executed a marker of tokens; `next` is the address behind it, or of a `sync` where it leads:
    /// see [`Code::sync_targets`](simt_core::code::Code::sync_targets).
    #[inline(always)]
    fn marker(&mut self, _marker: Marker, next: Pc) {
        self.advance(next);
    }

    /// The current lanes have executed a marker of convergence barriers; `next` is the address behind it. Returns what
    /// [`BarrierMarker::Save`] saves.
    #[inline(always)]
    fn barrier(&mut self, _marker: BarrierMarker, next: Pc) -> LaneMask {
        self.advance(next);
        LaneMask::EMPTY
    }

    /// Tells what it has counted when the warp has ended.
    #[inline]
    fn figures(&self, _tell: &mut dyn FnMut(Figure)) {}

    /// Tells what it holds besides the addresses of lanes, for observers that look at it step by step: by default nothing.
    fn state(&self, _tell: &mut dyn FnMut(StatePart)) {}
}

/// Passes all that a [`WarpPolicy`] is told to a macro: a method a row, with its signature, and the step that its lanes take.
/// What runs one policy inside of another makes its methods of this table. What stands in braces behind the macro's name
/// comes first.
#[doc(hidden)]
#[macro_export]
macro_rules! warp_policy_events {
    ($then:ident $($with:tt)*) => {
        $then! {
            $($with)*
            #[inline(always)] advance(next: Pc) = Step::Advance(next);
            #[inline(always)] branch(branch: Branch) = Step::Branch(branch);
            #[inline] exit() = Step::Exit;
            #[inline(always)] jump(kind: JumpKind, target: Pc) = Step::Jump(kind, target);
            #[inline] call(target: Pc, back: Pc) = Step::Call { target, back };
            #[inline] ret(returning: LaneMask, back: Pc, at: Pc) = Step::Return { returning, back, at };
            #[inline] park() -> bool = Step::Park;
            #[inline] release(ends: &dyn Fn(Pc) -> bool) -> bool = Step::Park;
            #[inline] wake(lanes: LaneMask, next: Pc) = Step::Wake(lanes, next);
            #[inline] marker(marker: Marker, next: Pc) = Step::Marker(marker, next);
            #[inline] barrier(marker: BarrierMarker, next: Pc) -> LaneMask = Step::Converge(marker, next);
        }
    };
}
