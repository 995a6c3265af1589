//! No stack: a table of splits, each an address and lanes, and a schedule that says which one issues (ESOP'12 section 5.2
//! asks for such machines; Collange's is the one with the lowest address first).
//!
//! A split that comes to the address of another merges with it. Inside calls that are as deep, that is: a lane that has
//! called a function once more than another is not where that one is, and both may return to different places.
//!
//! The table is kept in the order in which splits began. Where lanes part, those that do not take the branch keep the place
//! of their split, and the others are new; where splits merge they have the place of the older one.
//!
//! * `schedule`: the schedules.

mod schedule;

pub(super) use schedule::mixed;
pub use schedule::{MostLanes, Oldest, Random, RoundRobin, SplitSchedule};

use super::parked::{Lanes, Parked};
use super::{Branch, Figure, ReconvergencePolicy, Tally, WarpSplit, WarpStart};
use simt_core::LaneMask;
use simt_core::code::{Markers, Pc};
use smallvec::SmallVec;

/// Splits of a warp run in turns, as the schedule `S` says, and merge where they happen to meet.
///
/// * **Mechanism.** A split runs from one branch, join or jump to the next, a *segment*; then the schedule says which split
///   runs next. Nobody waits for anybody; lanes that come to the same address at the same depth of calls go on together.
///   Inside a segment no other split gets its turn: it has no jump, so it ends.
/// * **Source.** A. Habermaier and A. Knapp, ESOP'12, section 5.2, which names such schedules and asks that they be fair;
///   S. Collange, *Stack-less SIMT reconvergence at low cost*, 2011, for [`LowestPc`](crate::LowestPc).
/// * **State.** An address, a depth of calls and a mask for each split: at most one for each lane.
/// * **Fairness.** By schedule. [`RoundRobin`] gives each split its turn: between two turns of a split every other one has
///   run once, those that began meanwhile included. [`Random`] is fair with probability 1. [`Oldest`], [`MostLanes`] and
///   [`LowestPc`](crate::LowestPc) are not: who spins in front keeps the others from running.
/// * **Use it** to see what a kernel needs of its machine: whether it ends under any order that is fair, and what a join
///   costs that nobody waits at.
/// * **What it cannot do.** It does not make lanes meet. A schedule that does not let those behind catch up runs what follows
///   a branch once for each side; only [`LowestPc`](crate::LowestPc) makes them meet by the order of addresses, and
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
/// Gpu::<StackLess<RoundRobin>>::default().launch(Grid::new(1, 32), program_3(&lock))?;
/// assert_eq!(lock[0].load(Acquire), 32);
/// # Ok::<(), LaunchError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct StackLess<S> {
    /// Those that can run, in the order in which they began.
    splits: SmallVec<[Split; 8]>,
    /// The place of the one that issues, if there is any.
    current: usize,
    /// Splits that wait for others at a collective or barrier.
    parked: Parked<Split>,
    schedule: S,
    most: Tally<usize>,
}

/// Lanes at one address and one depth of calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split {
    /// The address of their next instruction.
    pub pc: Pc,
    /// How many calls deeper they are than where the warp began.
    pub calls: u32,
    /// The lanes.
    pub mask: LaneMask,
}

impl Split {
    #[inline(always)]
    fn is_with(self, other: Self) -> bool {
        self.pc == other.pc && self.calls == other.calls
    }

    fn shown(self) -> WarpSplit {
        WarpSplit { pc: self.pc, mask: self.mask }
    }
}

impl Lanes for Split {
    fn lanes(self) -> LaneMask {
        self.mask
    }
}

impl<S: SplitSchedule> StackLess<S> {
    /// Lanes come to an address: they join a split that is there, or are a new one.
    #[inline(always)]
    fn arrive(&mut self, split: Split) {
        match self.splits.iter_mut().find(|known| known.is_with(split)) {
            Some(known) => known.mask |= split.mask,
            None => self.splits.push(split),
        }
    }

    /// The current split has moved: it merges with one that is there, and another has its turn.
    #[inline(always)]
    fn settle(&mut self) {
        let at = self.current;
        let moved = self.splits[at];
        let other = self.splits.iter().enumerate().position(|(place, other)| place != at && other.is_with(moved));
        let Some(other) = other else { return self.pick(at + 1) };
        // The older one's place is kept.
        let (older, younger) = if other < at { (other, at) } else { (at, other) };
        let joined = self.splits.remove(younger).mask;
        self.splits[older].mask |= joined;
        self.pick(if other < at { at } else { at + 1 });
    }

    /// The current split runs no more.
    fn leave(&mut self) -> Split {
        let split = self.splits.remove(self.current);
        self.pick(self.current);
        split
    }

    /// Who issues next; `turn` is the place of the one behind the one that has issued.
    #[inline(always)]
    fn pick(&mut self, turn: usize) {
        let count = self.splits.len();
        self.most.0 = self.most.0.max(count);
        self.current = match count {
            0 | 1 => 0,
            _ => self.schedule.pick(&self.splits, if turn < count { turn } else { 0 }),
        };
    }
}

impl<S: SplitSchedule> ReconvergencePolicy for StackLess<S> {
    const NAME: &'static str = S::NAME;
    const MARKERS: Markers = Markers::None;
    const OVERLAPS: bool = true;
    const FAIR: bool = S::FAIR;

    fn start(split: WarpSplit) -> Self {
        let first = Split { pc: split.pc, calls: 0, mask: split.mask };
        Self {
            splits: SmallVec::from_slice(&[first]),
            current: 0,
            parked: Parked::default(),
            schedule: S::start(0),
            most: Tally(1),
        }
    }

    fn start_on(split: WarpSplit, start: WarpStart<'_>) -> Self {
        Self { schedule: S::start(start.seed()), ..Self::start(split) }
    }

    #[inline(always)]
    fn current(&self) -> Option<WarpSplit> {
        self.splits.get(self.current).map(|split| split.shown())
    }

    fn select(&mut self, free: LaneMask) -> bool {
        let is_free = |split: &Split| split.mask.is_subset(free);
        if self.splits.get(self.current).is_none_or(|split| !is_free(split)) {
            // The schedule chooses among those that are free, as if the others were not there.
            let places: SmallVec<[usize; 8]> = (0..self.splits.len()).filter(|&at| is_free(&self.splits[at])).collect();
            let splits: SmallVec<[Split; 8]> = places.iter().map(|&place| self.splits[place]).collect();
            if splits.is_empty() {
                return false;
            }
            let turn = places.iter().position(|&place| place >= self.current).unwrap_or(0);
            let chosen = if splits.len() == 1 { 0 } else { self.schedule.pick(&splits, turn) };
            self.current = places[chosen];
        }
        true
    }

    #[inline(always)]
    fn advance(&mut self, next: Pc) {
        self.splits[self.current].pc = next;
        self.settle();
    }

    #[inline(always)]
    fn branch(&mut self, branch: Branch) {
        let split = self.splits[self.current];
        let (taken, rest) = (branch.taken, split.mask - branch.taken);
        if rest.is_empty() {
            return self.advance(branch.target);
        }
        if !taken.is_empty() {
            // First of all they are no longer here: the others may be the ones that come to their address.
            self.splits[self.current] = Split { pc: branch.next, mask: rest, ..split };
            self.arrive(Split { pc: branch.target, mask: taken, ..split });
        }
        self.advance(branch.next);
    }

    fn exit(&mut self) {
        self.leave();
    }

    fn call(&mut self, target: Pc, _back: Pc) {
        self.splits[self.current].calls += 1;
        self.advance(target);
    }

    fn ret(&mut self, returning: LaneMask, back: Pc, at: Pc) {
        let split = self.splits[self.current];
        let returned = Split { pc: back, calls: split.calls.wrapping_sub(1), mask: returning };
        let rest = split.mask - returning;
        if rest.is_empty() {
            self.splits[self.current] = returned;
            self.settle();
        } else {
            self.splits[self.current].mask = rest;
            self.arrive(returned);
            self.advance(at);
        }
    }

    fn park(&mut self) -> bool {
        let split = self.leave();
        self.parked.park(split);
        true
    }

    fn wake(&mut self, lanes: LaneMask, next: Pc) {
        while let Some(split) = self.parked.wake(lanes) {
            self.arrive(Split { pc: next, ..split });
        }
        // Whose turn it is has not had it yet.
        self.pick(self.current);
    }

    fn splits(&self) -> Vec<WarpSplit> {
        let others = self.splits.iter().enumerate().filter(|(place, _)| *place != self.current);
        let others = others.map(|(_, split)| *split).chain(self.parked.iter());
        self.current().into_iter().chain(others.map(|split| split.shown())).collect()
    }

    #[inline]
    fn figures(&self, tell: &mut dyn FnMut(Figure)) {
        tell(Figure::highest("most splits", self.most.0 as u64));
    }
}

#[cfg(test)]
mod tests;
