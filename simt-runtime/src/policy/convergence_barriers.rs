//! Convergence barriers with independent thread scheduling: NVIDIA's machines since Volta.

use super::shared::{BarrierPaths, ConvergenceBarrier};
use super::{BarrierMarker, Branch, Ends, StatePart, WarpChecking, WarpPolicy, WarpSplit, WarpStart, WarpTiming};
use simt_core::LaneMask;
use simt_core::code::{JumpKind, Markers, Pc};

/// How many branches a group executes before another has its turn, if there is one; or jumps, of which a policy is told where a
/// run of code ends: see [`WarpPolicy::jump`].
///
/// **Assumed:** long enough that groups seldom change places without a `yield`.
const SLICE: u32 = 1 << 10;

/// Convergence barriers where `ptxas` puts them, and groups of lanes that take turns.
///
/// # Mechanism
///
/// A group is lanes at one address. A branch that diverges makes two of one; the larger goes on, the taken one if they are
/// equal, and the other is the next. Groups become one again at convergence barriers alone: `bssy Bx, L` makes the active
/// lanes the participants of barrier Bx, at `bsync Bx` they wait for each other and go on at L; `break` and `exit` leave,
/// `bmov` moves a barrier to a register and back, `warpsync m` waits for the lanes of a mask.
///
/// A barrier opens when each participant waits there *or has yielded*, for those that wait (US patent 10,067,768, claim 1).
/// The others still take part in what is left of it. So the lane that holds a lock need not wait behind the loop for the
/// lanes that spin in it.
///
/// # Code
///
/// [`Markers::PtxasBarriers`], whose documentation has the rules: where NVIDIA's assembler puts barriers. A loop that may run
/// divergently and has an operation by which threads can talk (atomic, volatile) has a `yield` on its way back.
///
/// # Fairness
///
/// Fair between the groups of a warp: at a `yield`, and after 1024 branches, the group goes behind all others that can run. A
/// jump counts as a branch does in a loop that has none, and with a clock in any. Lanes that wait at a `bsync` go on when all
/// others of the barrier come, end, leave or yield. A loop without a `yield` keeps the lanes waiting that wait for the lanes in
/// it: the assembler takes such a loop for one that cannot see what others write. So locks and flags that end under a fair
/// scheduler end here, as long as they are atomic or volatile
/// (CUDA C++ Programming Guide, *Independent Thread Scheduling*).
///
/// With a clock, a group that waits for memory keeps its turn: meanwhile the next runs that can.
///
/// The order is the same every time. Of the state, only the number of this turn's jumps grows.
///
/// # Cost
///
/// Of a warp of 32 lanes with 12 barrier registers: 12 masks, and per group an address and a mask, up to 32 of them. Hardware
/// keeps an address a lane instead.
///
/// # When to use it
///
/// To run what is written for Volta and later, and to see what its divergence costs. Where lanes wait for others in loops,
/// the barrier opens early, and lanes that leave the loop one after the other go on alone: use a collective to bring them
/// together.
///
/// ```
/// use simt::prelude::*;
/// use std::sync::atomic::AtomicU32;
/// use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
///
/// #[kernel]
/// fn locked(lock: &[AtomicU32], count: &mut [u32]) {
///     while lock[0].compare_exchange(0, 1, Acquire, Relaxed).is_err() {}
///     count[0] += 1;
///     lock[0].store(0, Release);
/// }
///
/// // Under most policies, the lane that has got the lock waits for the others to leave the loop.
/// let (lock, mut count) = ([AtomicU32::new(0)], [0]);
/// Gpu::<ConvergenceBarriers>::default().launch(Grid::new(1, 32), locked(&lock, &mut count))?;
/// assert_eq!(count, [32]);
/// # Ok::<(), LaunchError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ConvergenceBarriers {
    /// The groups.
    paths: BarrierPaths,
    /// Lanes that have not ended.
    live: LaneMask,
    /// Lanes that can run, and whose group stopped at a `yield` and has not had its turn since.
    yielded: LaneMask,
    /// Jumps and branches of this turn; not counted for a group that is alone.
    turn: u32,
    /// The group whose turn it is, while it waits for memory and another runs; none otherwise.
    holds: LaneMask,
}

impl ConvergenceBarriers {
    /// The barriers that some lanes have not passed, the one that was set last at the end.
    pub fn barriers(&self) -> &[ConvergenceBarrier] {
        self.paths.barriers.list()
    }

    /// Lanes whose group stopped at a `yield` and has not had its turn since, nor come to a barrier while others waited for memory.
    pub fn yielded(&self) -> LaneMask {
        self.yielded
    }

    /// The current group waits or has ended. Lanes whose barrier can open go first.
    #[inline(always)]
    fn next(&mut self) {
        self.paths.top.mask = LaneMask::EMPTY;
        self.paths.open(self.yielded);
        if !self.holds.is_empty() {
            self.give_back();
        }
        if self.paths.top.mask.is_empty()
            && let Some(next) = self.paths.pop()
        {
            self.yielded = self.yielded - next.mask;
        }
    }

    /// What ran while another waits for memory stops: that goes on whose turn it is, unless lanes go on whose barrier has opened.
    #[cold]
    fn give_back(&mut self) {
        if self.paths.top.mask.is_empty()
            && let Some(place) = self.holder()
        {
            self.paths.top = self.paths.below.remove(place);
        }
        self.holds = LaneMask::EMPTY;
    }

    /// Lanes come to a barrier: what ran while others waited for memory may have yielded before.
    #[inline(always)]
    fn come(&mut self, lanes: LaneMask) {
        if !self.holds.is_empty() {
            self.yielded = self.yielded - lanes;
        }
    }

    /// Where the group is whose turn it is, while another runs.
    #[inline(always)]
    fn holder(&self) -> Option<usize> {
        if self.holds.is_empty() {
            return None;
        }
        self.paths.below.iter().rposition(|split| !(split.mask & self.holds).is_empty())
    }

    /// The current group goes behind all others.
    #[cold]
    fn rotate(&mut self) {
        self.turn = 0;
        self.paths.below.insert(0, self.paths.top);
        self.next();
    }

    /// A jump or branch: after a number of them, other groups have their turn.
    #[inline(always)]
    fn count(&mut self) {
        if !self.paths.below.is_empty() {
            self.turn += 1;
            if self.turn >= SLICE {
                self.rotate();
            }
        }
    }

    /// While the group whose turn it is waits for memory, the first in order of turns runs that can. That is no turn of its own: two
    /// groups that spin, each while the other waits, have both yielded, and do not keep a third from running.
    fn select(&mut self, free: LaneMask) -> bool {
        let holder = self.holder();
        let BarrierPaths { top, below, .. } = &mut self.paths;
        if let Some(place) = holder {
            std::mem::swap(&mut below[place], top);
        }
        self.holds = LaneMask::EMPTY;
        if !top.mask.is_subset(free)
            && let Some(other) = below.iter_mut().rev().find(|split| split.mask.is_subset(free))
        {
            self.holds = top.mask;
            std::mem::swap(other, top);
            self.turn = 0;
        }
        !top.mask.is_empty() && top.mask.is_subset(free)
    }
}

impl WarpPolicy for ConvergenceBarriers {
    const NAME: &'static str = "ConvergenceBarriers";
    const MARKERS: Markers = Markers::PtxasBarriers;
    const ENDS: Option<Ends> = Some(Ends::ALL);
    const TIMING: WarpTiming<Self> = WarpTiming { select: Some(Self::select), ..WarpTiming::DEFAULT };
    const CHECKING: WarpChecking<Self> = WarpChecking::TRUSTED;

    fn start(WarpStart { split, .. }: WarpStart<'_>) -> Self {
        Self {
            paths: BarrierPaths::start(split),
            live: split.mask,
            yielded: LaneMask::EMPTY,
            turn: 0,
            holds: LaneMask::EMPTY,
        }
    }

    #[inline(always)]
    fn current(&self) -> Option<WarpSplit> {
        self.paths.current()
    }

    #[inline(always)]
    fn advance(&mut self, next: Pc) {
        self.paths.top.pc = next;
    }

    #[inline(always)]
    fn jump(&mut self, _kind: JumpKind, target: Pc) {
        self.paths.top.pc = target;
        self.count();
    }

    #[inline(always)]
    fn branch(&mut self, branch: Branch) {
        self.paths.branch(branch);
        self.count();
    }

    #[inline(always)]
    fn exit(&mut self) {
        let mask = self.paths.top.mask;
        self.live = self.live - mask;
        self.paths.barriers.exit(mask);
        self.next();
    }

    #[inline(always)]
    fn barrier(&mut self, marker: BarrierMarker, next: Pc) -> LaneMask {
        let mask = self.paths.top.mask;
        self.paths.top.pc = next;
        match marker {
            BarrierMarker::Sync(barrier) => {
                self.come(mask);
                // A lane that takes part in no barrier has no lanes to wait for.
                let free = self.paths.barriers.sync(barrier, next, mask);
                if free.is_empty() {
                    self.next();
                } else {
                    self.paths.top.mask = free;
                    self.paths.open(self.yielded);
                }
            }
            BarrierMarker::Yield => {
                self.yielded |= mask;
                self.rotate();
            }
            BarrierMarker::WarpSync(lanes) => {
                self.come(mask);
                self.paths.barriers.warp_sync(next, lanes & self.live, mask);
                self.next();
            }
            _ => return self.paths.write(marker, self.yielded),
        }
        LaneMask::EMPTY
    }

    fn park(&mut self) -> bool {
        self.come(self.paths.top.mask);
        self.paths.park();
        self.next();
        true
    }

    fn wake(&mut self, lanes: LaneMask, next: Pc) {
        self.paths.wake(lanes, next);
    }

    fn splits(&self) -> Vec<WarpSplit> {
        self.paths.splits()
    }

    fn state(&self, tell: &mut dyn FnMut(StatePart)) {
        self.barriers().iter().for_each(|barrier| tell(barrier.state("barriers")));
        if !self.yielded.is_empty() {
            tell(StatePart::new("yielded", self.yielded));
        }
    }
}

#[cfg(test)]
mod tests;
