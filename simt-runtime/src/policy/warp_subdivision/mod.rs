//! Dynamic warp subdivision: J. Meng, D. Tarjan and K. Skadron, *Dynamic Warp Subdivision for Integrated Branch and Memory
//! Divergence Tolerance*, ISCA 2010.
//!
//! A path is (reconvergence pc, next pc, lanes), as an entry of [`Ipdom`](super::Ipdom). Where a path diverges it waits at
//! the immediate post-dominator, and the two sides are paths above it. On a stack one of them would run and the other would
//! wait; here both are *splits* that issue in turns. When all splits above a path have come to where it waits, it goes on.
//! A machine has room for so many splits; a side for which there is no room waits, as on the stack, until a split has ended.
//! Of the sides that wait the last to come is first.
//!
//! The other cause for a split is a load for which some lanes hit and others miss. It needs a clock: without one, no access
//! takes longer than another. The clock says which lanes have to wait longer, and [`LoadSplits`] at which loads it asks for
//! a division; the division itself is here. Both parts of a path are paths to the same end, above the same one: they meet
//! where the path would have ended, as the sides of a branch do; or, with [`BranchLimited`], before the next branch, where the
//! clock asks whether a part is to be held back.

mod load_splits;
mod paths;
mod remerge;
mod timed;
mod waits;

pub use load_splits::LoadSplits;
pub use remerge::{AtPostDominators, BranchLimited, ByPc, Remerge};

use super::{Branch, Ends, Figure, Tally, WarpChecking, WarpPolicy, WarpSplit, WarpStart, WarpTiming};
use paths::{NEVER, Path, Paths, State};
use simt_core::LaneMask;
use simt_core::code::{Markers, Pc};
use std::marker::PhantomData;

/// Both sides of a branch run in turns, and meet at its immediate post-dominator; with [`ByPc`] for `M` also before.
///
/// * **Mechanism.** Lanes that part become warp-splits that issue in turns, a segment each: a run of code from one branch
///   or join to the next. Where their paths meet each waits for the others. A split that has no room waits for one.
///   With a clock a split also parts at loads that hit for some of its lanes and miss for others, if there is room:
///   [`GpuConfig::load_splits`](crate::GpuConfig::load_splits) says at which.
/// * **Source.** J. Meng, D. Tarjan and K. Skadron, *Dynamic Warp Subdivision for Integrated Branch and Memory Divergence
///   Tolerance*, ISCA 2010: branch and memory divergence ([`LoadSplits`](crate::LoadSplits)), stack-based
///   ([`AtPostDominators`]) and PC-based ([`ByPc`]) reconvergence, and of parts of a split that was divided at a load before the
///   next branch ([`BranchLimited`]). **Assumed:** every branch may subdivide, where the paper's compiler chooses those with short
///   arms; room for 16 splits a warp ([`GpuConfig::warp_splits`](crate::GpuConfig::warp_splits)), whatever has made them; parts of
///   a split that was divided at a load meet at the post-dominator of the branch around it, or at the end of the kernel or
///   function, and with [`ByPc`] also where one comes to the address of the other; with [`BranchLimited`] only if no branch comes
///   first.
/// * **State.** The stack of [`Ipdom`](crate::Ipdom), and a table of splits with an address and a mask each.
/// * **Fairness.** Between the sides of a branch, as long as there is room: each has its turn. None where paths meet: lanes
///   there wait for ever if the others spin, as with [`Ipdom`](crate::Ipdom); and a side without room waits for the splits
///   that have it. Splits made at loads take room, too.
/// * **Use it** to see what of a kernel's waiting comes from the order in which a stack runs the paths. It issues what
///   [`Ipdom`](crate::Ipdom) does, in another order.
/// * **What it cannot do.** It fills no idle lanes; it gains time, because one split computes while another waits for
///   memory. That shows with a clock only.
///
/// Figures of its own: the *most splits* that issued in turns, the *paths that had no room*, and the *splits divided at loads*.
///
/// ```
/// use simt::prelude::*;
/// use std::sync::atomic::{AtomicU32, Ordering::{Acquire, Release}};
///
/// /// ESOP'12, Program 2: one side of a branch waits for the other.
/// #[kernel]
/// fn program_2(lock: &[AtomicU32]) {
///     if global_id() == 0 {
///         lock[0].store(1, Release);
///     } else {
///         while lock[0].load(Acquire) != 1 {}
///     }
/// }
///
/// let lock = [AtomicU32::new(0)];
/// assert!(Gpu::<Ipdom>::default().launch(Grid::new(1, 32), program_2(&lock)).is_err());
/// Gpu::<WarpSubdivision>::default().launch(Grid::new(1, 32), program_2(&lock))?;
/// // Without room for a second split it is a stack.
/// let one = GpuConfig { warp_splits: 1, ..GpuConfig::functional() };
/// let lock = [AtomicU32::new(0)];
/// assert!(Gpu::<WarpSubdivision>::new(one).launch(Grid::new(1, 32), program_2(&lock)).is_err());
/// # Ok::<(), LaunchError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct WarpSubdivision<M = AtPostDominators> {
    paths: Paths,
    /// The split that issues, if there is one.
    current: usize,
    /// How many splits can issue in turns, and how many do.
    room: usize,
    splits: usize,
    /// Paths that have no room, the last to come last.
    pending: Vec<usize>,
    tally: Tally<Counts>,
    meets: PhantomData<M>,
}

/// A path at a branch where lanes part.
#[derive(Clone, Copy)]
struct Fork {
    path: usize,
    /// Where the sides end, and the path that waits there.
    ends: Pc,
    parent: Option<u32>,
    /// Whether that is this path.
    waits: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    most: usize,
    without_room: u64,
    at_loads: u64,
}

impl<M: Remerge> WarpSubdivision<M> {
    /// A path begins, if there is room, or goes on.
    #[inline(always)]
    fn begin(&mut self, path: usize) {
        let has_room = self.splits < self.room;
        self.paths.begin(path, if has_room { State::Runs } else { State::Pending });
        if has_room { self.counted() } else { self.pend(path) }
    }

    /// A path that had no room has it now.
    #[cold]
    fn run(&mut self, path: usize) {
        self.paths.set(path, State::Runs);
        self.counted();
    }

    #[inline(always)]
    fn counted(&mut self) {
        self.splits += 1;
        self.tally.0.most = self.tally.0.most.max(self.splits);
    }

    /// Lanes begin a path of their own, above another one.
    fn add(&mut self, below: Option<u32>, reconvergence: Pc, next: Pc, mask: LaneMask) -> usize {
        self.count_above(below, 1);
        self.add_uncounted(below, reconvergence, next, mask)
    }

    /// So many paths more are above one.
    #[inline(always)]
    fn count_above(&mut self, below: Option<u32>, paths: u32) {
        if let Some(below) = below {
            self.paths.at(below as usize).above += paths;
        }
    }

    /// As `add`, but those above the other one are counted by the caller.
    #[inline(always)]
    fn add_uncounted(&mut self, below: Option<u32>, reconvergence: Pc, next: Pc, mask: LaneMask) -> usize {
        let has_room = self.splits < self.room;
        let state = if has_room { State::Runs } else { State::Pending };
        let path = self.paths.add(Path { state, below, above: 0, parted: false, reconvergence, next, mask });
        if has_room {
            self.counted();
        } else {
            self.pend(path);
        }
        path
    }

    #[cold]
    fn pend(&mut self, path: usize) {
        self.pending.push(path);
        self.tally.0.without_room += 1;
    }

    /// The lanes of one side of a branch go on. Returns how many paths that adds above the parent.
    #[inline(always)]
    fn side(&mut self, fork: Fork, next: Pc, lanes: LaneMask) -> u32 {
        let Fork { path, parent, ends, waits } = fork;
        if next == ends {
            return 0;
        }
        if M::BY_PC
            && let Some(there) = self.paths.sibling(parent, ends, next)
        {
            self.paths.at(there).mask |= lanes;
            return 0;
        }
        if !waits {
            let here = self.paths.at(path);
            if here.mask.is_empty() {
                (here.next, here.mask) = (next, lanes);
                return 0;
            }
        }
        self.add_uncounted(parent, ends, next, lanes);
        1
    }

    /// A split issues no more: its lanes are where it ends, or have ended or returned.
    #[inline(always)]
    fn end(&mut self, mut path: usize) {
        loop {
            let (ran, below) = self.paths.remove(path);
            self.splits -= usize::from(ran);
            let Some(below) = below else { return };
            let waiting = self.paths.at(below);
            waiting.above -= 1;
            let Path { mask, next, reconvergence, above, .. } = *waiting;
            if above > 0 {
                return;
            }
            // The split has no lanes left, or it was waiting where it ends.
            if !mask.is_empty() && next != reconvergence {
                return self.begin(below);
            }
            path = below;
        }
    }

    /// The next split has its turn; those that have waited for room come first.
    #[inline(always)]
    fn turn(&mut self, from: usize) {
        while !self.pending.is_empty()
            && self.splits < self.room
            && let Some(path) = self.pending.pop()
        {
            self.run(path);
        }
        self.current = self.paths.next_that_runs(from).unwrap_or(0);
    }

    /// The current split has moved: it may be where it ends, or where another one is.
    #[inline(always)]
    fn settle(&mut self) {
        let path = self.current;
        let Path { next, reconvergence, .. } = *self.paths.at(path);
        if next == reconvergence {
            self.end(path);
        } else if M::BY_PC
            && let Some(other) = self.paths.sibling_of(path)
        {
            let lanes = self.paths.at(path).mask;
            self.paths.at(other).mask |= lanes;
            self.end(path);
        }
        self.turn(path + 1);
    }
}

impl<M: Remerge> WarpPolicy for WarpSubdivision<M> {
    const NAME: &'static str = M::NAME;
    const MARKERS: Markers = Markers::PostDominators;
    const ENDS: Option<Ends> = Some(Ends { program_3: false, lock_behind: false, ..Ends::ALL });
    const TIMING: WarpTiming<Self> = WarpTiming {
        select: Some(Self::select),
        divide: Some(Self::divide),
        hold: Some(Self::hold),
        ..WarpTiming::DEFAULT
    };
    const CHECKING: WarpChecking<Self> = WarpChecking::TRUSTED.with_any_parameter();

    fn start(WarpStart { split, config, .. }: WarpStart<'_>) -> Self {
        let mut policy = Self {
            paths: Paths::default(),
            current: 0,
            room: config.warp_splits,
            splits: 0,
            pending: Vec::new(),
            tally: Tally::default(),
            meets: PhantomData,
        };
        policy.add(None, NEVER, split.pc, split.mask);
        policy
    }

    #[inline(always)]
    fn current(&self) -> Option<WarpSplit> {
        let path = self.paths.get(self.current);
        (path.state == State::Runs).then_some(WarpSplit { pc: path.next, mask: path.mask })
    }

    #[inline(always)]
    fn advance(&mut self, next: Pc) {
        let path = self.paths.at(self.current);
        path.next = next;
        // PERF: the only split keeps its turn, and meets no other.
        if self.splits > 1 || !self.pending.is_empty() || next == path.reconvergence {
            self.settle();
        }
    }

    #[inline(always)]
    fn branch(&mut self, branch: Branch) {
        let path = self.current;
        let Path { mask, reconvergence, below, .. } = *self.paths.at(path);
        let rest = mask - branch.taken;
        if rest.is_empty() || branch.taken.is_empty() {
            return self.advance(if rest.is_empty() { branch.target } else { branch.next });
        }
        // If the sides meet where the path itself ends, the path below waits there already: this one becomes one of the sides.
        let fork = match branch.meet {
            Some(meet) if meet != reconvergence => {
                self.splits -= 1;
                Fork { path, parent: Some(path as u32), ends: meet, waits: true }
            }
            _ => {
                self.paths.at(path).mask = LaneMask::EMPTY;
                Fork { path, parent: below, ends: reconvergence, waits: false }
            }
        };
        let added = self.side(fork, branch.target, branch.taken) + self.side(fork, branch.next, rest);
        // Both sides may be where they end, or have joined others.
        if fork.waits {
            self.paths.wait(path, fork.ends, added);
            if added == 0 {
                self.begin(path);
            }
        } else {
            self.count_above(fork.parent, added);
            if self.paths.at(path).mask.is_empty() {
                self.end(path);
            }
        }
        self.turn(path + 1);
    }

    fn exit(&mut self) {
        let path = self.current;
        let lanes = self.paths.at(path).mask;
        self.paths.forget(lanes);
        self.end(path);
        self.turn(path + 1);
    }

    /// The caller's path waits behind the call for the one through the function.
    fn call(&mut self, target: Pc, back: Pc) {
        let path = self.current;
        let mask = self.paths.at(path).mask;
        self.paths.at(path).next = back;
        self.paths.set(path, State::Waits);
        self.splits -= 1;
        self.add(Some(path as u32), NEVER, target, mask);
        self.turn(path + 1);
    }

    /// The lanes of a part wait for the others behind the call, not where the split was divided.
    fn ret(&mut self, _returning: LaneMask, _back: Pc, _at: Pc) {
        let path = self.current;
        let Path { mask, mut below, .. } = *self.paths.at(path);
        while let Some(whole) = below.map(|below| self.paths.at(below as usize)).filter(|whole| whole.parted) {
            whole.mask = whole.mask - mask;
            below = whole.below;
        }
        self.end(path);
        self.turn(path + 1);
    }

    fn park(&mut self) -> bool {
        self.paths.set(self.current, State::Parked);
        self.splits -= 1;
        self.turn(self.current + 1);
        true
    }

    fn release(&mut self, ends: &dyn Fn(Pc) -> bool) -> bool {
        let found = self.paths.held().find(|split| ends(split.pc));
        found.is_some_and(|split| self.let_go(split))
    }

    fn wake(&mut self, lanes: LaneMask, next: Pc) {
        self.go_on(lanes, next);
    }

    fn splits(&self) -> Vec<WarpSplit> {
        let current = self.current();
        let others = self.paths.by_lanes().filter(|&split| Some(split) != current);
        current.into_iter().chain(others).collect()
    }

    #[inline]
    fn figures(&self, tell: &mut dyn FnMut(Figure)) {
        let Counts { most, without_room, at_loads } = self.tally.0;
        tell(Figure::highest("most splits in turns", most as u64));
        tell(Figure::sum("paths that had no room", without_room));
        tell(Figure::sum("splits divided at loads", at_loads));
    }
}

#[cfg(test)]
mod tests;
