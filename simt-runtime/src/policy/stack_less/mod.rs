//! No stack: a table of splits, each an address and lanes, and a schedule that says which one issues (ESOP'12 section 5.2
//! asks for such machines; Collange's is the one with the lowest address first).
//!
//! A split that comes to the address of another merges with it, if both are inside equally many calls: a lane that has
//! called a function once more than another is not where that one is, and both may return to different places.
//!
//! The splits are kept in the order in which they began. Where lanes part, those that do not take the branch keep the place
//! of their split, and the others are new; where splits merge they have the place of the older one.
//!
//! * `schedule`: the schedules;
//! * `split`: lanes that are at one address;
//! * `splits`: the table.

mod schedule;
mod split;
mod splits;

pub use schedule::{MostLanes, Oldest, Random, RoundRobin, SplitSchedule};
pub use split::Split;
pub use splits::{SplitPlace, Splits};

use super::shared::Parked;
use super::{Branch, Ends, Figure, Stops, Tally, WarpChecking, WarpPolicy, WarpSplit, WarpStart, WarpTiming};
use simt_core::LaneMask;
use simt_core::code::{Markers, Pc};

/// Splits of a warp run in turns, as the schedule `S` says, and merge where they happen to meet. By default each has its turn:
/// [`RoundRobin`].
///
/// * **Mechanism.** A split runs from one branch or join to the next, a *segment*; then the schedule says which split runs
///   next. No split waits for another; lanes that come to the same address at the same depth of calls go on together. Inside
///   a segment no other split gets its turn: a segment has no loop, so it ends. The schedule says what counts as a join
///   ([`Stops`](crate::Stops)): with [`LowestPc`](crate::LowestPc) every target of a jump, with the others the addresses
///   where paths of a branch may meet.
/// * **Source.** A. Habermaier and A. Knapp, ESOP'12, section 5.2, which names such schedules and asks that they be fair;
///   S. Collange, *Stack-less SIMT reconvergence at low cost*, 2011, for [`LowestPc`](crate::LowestPc).
/// * **State.** An address, a depth of calls and a mask for each split: at most one for each lane.
/// * **Fairness.** By schedule. [`RoundRobin`] gives each split its turn: between two turns of a split every other one has
///   run once, those that began meanwhile included. [`Random`] is fair with probability 1. [`Oldest`], [`MostLanes`] and
///   [`LowestPc`](crate::LowestPc) are not: a split that spins in front keeps the others from running.
/// * **Use it** to see what a kernel needs of its machine: whether it ends under any order that is fair, and what a join
///   costs at which no split waits.
/// * **What it cannot do.** It does not make lanes meet. A schedule that does not let lanes behind catch up runs the code
///   behind a branch once for each side; only [`LowestPc`](crate::LowestPc) makes them meet by the order of addresses, and
///   [`MinPc`](crate::MinPc) is the same, faster.
///
/// Figure of its own: the *most splits* of a warp.
///
/// ```
/// use simt::prelude::*;
/// use std::sync::atomic::{AtomicU32, Ordering::{Acquire, Release}};
///
/// /// ESOP'12, Program 3: each waits for the one before it.
/// #[kernel]
/// fn program_3(lock: &[AtomicU32]) {
///     while lock[0].load(Acquire) != global_id() as u32 {}
///     lock[0].fetch_add(1, Release);
/// }
///
/// let lock = [AtomicU32::new(0)];
/// assert!(Gpu::<Ipdom>::default().launch(Grid::new(1, 32), program_3(&lock)).is_err());
/// Gpu::<StackLess>::default().launch(Grid::new(1, 32), program_3(&lock))?;
/// assert_eq!(lock[0].load(Acquire), 32);
/// # Ok::<(), LaunchError>(())
/// ```
#[derive(Debug)]
pub struct StackLess<S = RoundRobin> {
    /// Those that can run.
    splits: Splits,
    /// The split that issues, without lanes if there is none, and its place.
    current: Split,
    place: usize,
    /// Splits that wait for others at a collective or barrier.
    parked: Parked<Split>,
    schedule: S,
    most: Tally<usize>,
}

impl<S: SplitSchedule> StackLess<S> {
    /// The current split moves: it merges with one that is at the same address, and another has its turn.
    #[inline(always)]
    fn go(&mut self, to: Split) {
        self.splits.go(self.place, self.current, to);
        self.pick(self.place + 1);
    }

    /// The current split parts.
    #[inline(always)]
    fn part(&mut self, leave: Split, stay: Split) {
        self.splits.go(self.place, self.current, stay);
        let turn = self.splits.arrive(leave, self.place + 1);
        self.most.0 = self.most.0.max(self.splits.count());
        self.pick(turn);
    }

    /// The current split runs no more.
    fn leave(&mut self) -> Split {
        let split = self.splits.free(self.place);
        let turn = self.splits.moved_up(self.place);
        self.pick(turn);
        split
    }

    /// Chooses the split that issues next: if there are several, by the schedule, which is told the first split
    /// from `turn` on.
    #[inline(always)]
    fn pick(&mut self, turn: usize) {
        let splits = &self.splits;
        let place = if splits.are_several() { self.schedule.pick(splits, splits.from(turn)) } else { splits.oldest() };
        (self.current, self.place) = (place.split(), place.number());
    }

    fn select(&mut self, free: LaneMask) -> bool {
        if !self.current.mask.is_empty() && self.current.mask.is_subset(free) {
            return true;
        }
        // The schedule chooses among those that are free, as if the others were not there.
        let all = self.splits.leave_only(free);
        let has_free = !self.splits.is_empty();
        if has_free {
            self.pick(self.place);
        }
        self.splits.show_again(all);
        has_free
    }
}

impl<S: SplitSchedule> WarpPolicy for StackLess<S> {
    const NAME: &'static str = S::NAME;
    const MARKERS: Markers = Markers::None;
    const STOPS: Stops = S::STOPS;
    const FAIR: bool = S::FAIR;
    const ENDS: Option<Ends> = S::ENDS;
    const TIMING: WarpTiming<Self> = WarpTiming { select: Some(Self::select), ..WarpTiming::DEFAULT };
    const CHECKING: WarpChecking<Self> = WarpChecking::by(S::GUARD);

    fn start(start: WarpStart<'_>) -> Self {
        let first = Split::new(start.split);
        Self {
            splits: Splits::new(first),
            current: first,
            place: 0,
            parked: Parked::default(),
            schedule: S::start(start.seed()),
            most: Tally(1),
        }
    }

    #[inline(always)]
    fn current(&self) -> Option<WarpSplit> {
        (!self.current.mask.is_empty()).then_some(self.current.shown())
    }

    #[inline(always)]
    fn advance(&mut self, next: Pc) {
        self.go(self.current.to(next));
    }

    #[inline(always)]
    fn branch(&mut self, branch: Branch) {
        let split = self.current;
        let (taken, rest) = (branch.taken, split.mask - branch.taken);
        if taken.is_empty() || rest.is_empty() {
            return self.advance(if rest.is_empty() { branch.target } else { branch.next });
        }
        self.part(split.to(branch.target).of(taken), split.to(branch.next).of(rest));
    }

    fn exit(&mut self) {
        self.leave();
    }

    fn call(&mut self, target: Pc, _back: Pc) {
        self.go(self.current.called().to(target));
    }

    fn ret(&mut self, returning: LaneMask, back: Pc, at: Pc) {
        let split = self.current;
        let returned = split.returned().to(back).of(returning);
        let rest = split.mask - returning;
        if rest.is_empty() { self.go(returned) } else { self.part(returned, split.to(at).of(rest)) }
    }

    fn park(&mut self) -> bool {
        let split = self.leave();
        self.parked.park(split);
        true
    }

    fn wake(&mut self, lanes: LaneMask, next: Pc) {
        while let Some(split) = self.parked.wake(lanes) {
            self.place = self.splits.arrive(split.to(next), self.place);
        }
        self.most.0 = self.most.0.max(self.splits.count());
        // The split whose turn it is has not issued yet, so it keeps the turn.
        self.pick(self.place);
    }

    fn splits(&self) -> Vec<WarpSplit> {
        let others = self.splits.places().filter(|&place| place != self.place);
        let others = others.map(|place| self.splits.split(place)).chain(self.parked.iter());
        self.current().into_iter().chain(others.map(|split| split.shown())).collect()
    }

    #[inline]
    fn figures(&self, tell: &mut dyn FnMut(Figure)) {
        tell(Figure::highest("most splits", self.most.0 as u64));
    }
}

// Implemented by hand: schedules see the splits, and must not copy them.
impl<S: SplitSchedule> Clone for StackLess<S> {
    fn clone(&self) -> Self {
        let Self { splits, current, place, parked, schedule, most } = self;
        let (parked, schedule) = (parked.clone(), schedule.clone());
        Self { splits: splits.copied(), current: *current, place: *place, parked, schedule, most: *most }
    }
}

/// Places are compared by their order alone, which says which split is older.
impl<S: SplitSchedule> PartialEq for StackLess<S> {
    fn eq(&self, other: &Self) -> bool {
        let Self { splits, current, place: _, parked, schedule, most: _ } = self;
        (splits, current, parked, schedule) == (&other.splits, &other.current, &other.parked, &other.schedule)
    }
}

#[cfg(test)]
mod tests;
