//! Policies that regroup the threads of several warps.

use super::{BlockChecking, BlockTiming, Ends, Figure, PolicyConfig, StatePart, Stops, ThreadMask};
use simt_core::LaneMask;
use simt_core::code::{JumpKind, Marker, Markers, Pc};

/// Lanes of one of the program's warps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WarpPart {
    /// Number of the warp in its block.
    pub warp: usize,
    /// Its lanes.
    pub lanes: LaneMask,
}

impl WarpPart {
    /// Whether its lanes are among those of its warp.
    pub(crate) fn is_of(&self, lanes: &[LaneMask]) -> bool {
        lanes.get(self.warp).is_some_and(|&lanes| self.lanes.is_subset(lanes))
    }
}

/// Threads that are at the same address and issue together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockSplit<'p> {
    /// The address of their next instruction.
    pub pc: Pc,
    /// The threads: some, and at most as many as a warp has lanes. What they do in memory they do warp by warp, the lowest first.
    pub threads: &'p ThreadMask,
}

/// A conditional branch that the current threads have just executed: as [`Branch`](crate::Branch), with threads in place of
/// lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockBranch<'b> {
    /// Of the current threads those that take it.
    pub taken: &'b ThreadMask,
    /// Where those go.
    pub target: Pc,
    /// Where the others go.
    pub next: Pc,
    /// Where both meet again, if they do before the end of the kernel. Code with tokens does not say it.
    pub meet: Option<Pc>,
    /// Whether the taken path leaves a loop because its condition failed.
    pub leaves: bool,
}

/// A block whose threads all stand at the entry.
#[derive(Clone, Copy, Debug)]
pub struct BlockStart<'s> {
    /// The entry.
    pub pc: Pc,
    /// For each warp of the program the lanes that have threads.
    pub warps: &'s [LaneMask],
    /// What there is to know of the machine.
    pub config: &'s PolicyConfig,
}

impl BlockStart<'_> {
    /// None of the block's threads.
    pub fn no_threads(&self) -> ThreadMask {
        ThreadMask::empty(self.warps.len(), self.config.warp_width)
    }

    /// The block's threads, by warp.
    pub fn parts(&self) -> impl Iterator<Item = WarpPart> {
        let part = |(warp, &lanes): (usize, &LaneMask)| WarpPart { warp, lanes };
        self.warps.iter().enumerate().map(part).filter(|part| !part.lanes.is_empty())
    }
}

/// Decides which threads of a block issue next, whichever of its warps they are in.
///
/// The laws are those of [`WarpPolicy`](crate::WarpPolicy), with threads in place of lanes. The warps of the program remain
/// what collectives, shuffles and `lane_id()` mean; they only no longer say which threads issue together.
///
/// A mechanism is eight methods: `start`, `current`, `advance`, `branch`, `exit`, `park`, `wake` and `splits`. All else has a
/// default.
pub trait BlockPolicy: Sized + Clone + PartialEq + std::fmt::Debug + 'static {
    /// Name in reports.
    const NAME: &'static str;
    /// The markers that the code must carry.
    const MARKERS: Markers;
    /// Where turns end in code without markers.
    const STOPS: Stops = Stops::AtTargets;
    /// Whether every thread that can go on does so after finitely many issues of its block: weak fairness.
    const FAIR: bool = false;
    /// Which programs of the page on termination end, if that is known.
    const ENDS: Option<Ends> = None;
    /// What a clock may ask of it.
    const TIMING: BlockTiming<Self> = BlockTiming::DEFAULT;
    /// What [`Checks`](crate::Checks) may ask of it.
    const CHECKING: BlockChecking<Self> = BlockChecking::GUARDED;

    /// A block whose threads all stand at the entry.
    fn start(start: BlockStart<'_>) -> Self;

    /// The threads that issue next; `None` when all have ended or wait.
    fn current(&self) -> Option<BlockSplit<'_>>;

    /// The current threads come to `next` without a branch.
    fn advance(&mut self, next: Pc);

    /// The current threads have executed a conditional branch.
    fn branch(&mut self, branch: BlockBranch<'_>);

    /// The current threads have ended.
    fn exit(&mut self);

    /// The current threads have come to a collective or barrier and wait there until they are woken, which may be at once.
    fn park(&mut self);

    /// The lanes of a part, of those that wait, go on at `next`. They may be a part of those that came to wait at once.
    fn wake(&mut self, part: WarpPart, next: Pc);

    /// All live threads by address, the current ones first, in the order of [`ThreadMask::parts`]. Threads that wait are
    /// listed where they wait.
    fn splits(&self) -> Vec<(Pc, WarpPart)>;

    /// The current threads have jumped, maybe by a `break` or `continue`.
    #[inline(always)]
    fn jump(&mut self, _kind: JumpKind, target: Pc) {
        self.advance(target);
    }

    /// The current threads call the function at `target`; the address behind the call is `back`.
    fn call(&mut self, target: Pc, _back: Pc) {
        self.advance(target);
    }

    /// Of the current threads, those of `returning` return to `back`. The others stay at `at`: they were called from
    /// elsewhere.
    fn ret(&mut self, returning: &ThreadMask, back: Pc, at: Pc) {
        self.branch(BlockBranch { taken: returning, target: back, next: at, meet: None, leaves: false });
    }

    /// The current threads have executed a marker; `next` is the address behind it.
    fn marker(&mut self, _marker: Marker, next: Pc) {
        self.advance(next);
    }

    /// All threads wait, and no barrier opens. If the policy itself holds back threads that could run, it lets some go and
    /// returns true. From where `ends` says so nothing is left to do but to end.
    fn release(&mut self, _ends: &dyn Fn(Pc) -> bool) -> bool {
        false
    }

    /// The SIMD lanes that threads take when they issue: their own, unless the policy has moved them.
    fn positions(&self, threads: &ThreadMask) -> LaneMask {
        threads.lanes()
    }

    /// Tells what it has counted when the block has ended.
    #[inline]
    fn figures(&self, _tell: &mut dyn FnMut(Figure)) {}

    /// Tells what it holds besides the addresses of lanes, for observers that look at it step by step: by default nothing.
    fn state(&self, _tell: &mut dyn FnMut(StatePart)) {}
}

/// Passes all that a [`BlockPolicy`] is told to a macro: a method a row, with its signature, and the step that its threads
/// take. What runs one policy inside of another makes its methods of this table. What stands in braces behind the macro's
/// name comes first.
#[doc(hidden)]
#[macro_export]
macro_rules! block_policy_events {
    ($then:ident $($with:tt)*) => {
        $then! {
            $($with)*
            #[inline] advance(next: Pc) = Step::Go(next);
            #[inline] branch(branch: BlockBranch<'_>) = Step::Part(branch.taken, branch.target, branch.next);
            #[inline] exit() = Step::Exit;
            #[inline] jump(kind: JumpKind, target: Pc) = Step::Go(target);
            #[inline] call(target: Pc, back: Pc) = Step::Go(target);
            #[inline] ret(returning: &ThreadMask, back: Pc, at: Pc) = Step::Part(returning, back, at);
            #[inline] park() = Step::Park;
            #[inline] wake(part: WarpPart, next: Pc) = Step::Wake(part, next);
            #[inline] marker(marker: Marker, next: Pc) = Step::Go(next);
            #[inline] release(ends: &dyn Fn(Pc) -> bool) -> bool = Step::Release;
        }
    };
}
