//! The paths of a warp with convergence barriers: one that runs, those that can, and those that wait.
//!
//! The part that the two policies share. They differ in which path runs next, and in what `bsync` and `yield` do.

use super::{BarrierMarker, Barriers};
use crate::policy::shared::{Parked, Stack};
use crate::policy::{Branch, Tally, WarpSplit};
use simt_core::LaneMask;
use simt_core::code::Pc;

/// The lanes of a warp that have not ended.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BarrierPaths {
    // PERF: the path that runs lives in fields; it has no lanes if there is none.
    pub(crate) top: WarpSplit,
    /// Those that can run, the next one last.
    pub(crate) below: Stack<WarpSplit, 8>,
    pub(crate) barriers: Barriers,
    /// Lanes that wait for others at a collective.
    parked: Parked<WarpSplit>,
    /// Most paths that could run at once.
    pub(crate) most: Tally<usize>,
}

impl BarrierPaths {
    pub(crate) fn start(split: WarpSplit) -> Self {
        let (barriers, parked, most) = (Barriers::default(), Parked::default(), Tally(1));
        Self { top: split, below: Stack::new(split), barriers, parked, most }
    }

    #[inline(always)]
    pub(crate) fn current(&self) -> Option<WarpSplit> {
        (!self.top.mask.is_empty()).then_some(self.top)
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, split: WarpSplit) {
        if !self.top.mask.is_empty() {
            let below = self.below.grow();
            (below.pc, below.mask) = (self.top.pc, self.top.mask);
            self.count();
        }
        self.top = split;
    }

    #[inline(always)]
    fn count(&mut self) {
        self.most.0 = self.most.0.max(self.below.len() + 1);
    }

    /// Ends the path that runs; returns the one below it, which runs now.
    #[inline(always)]
    pub(crate) fn pop(&mut self) -> Option<WarpSplit> {
        let next = self.below.pop();
        self.top = next.unwrap_or(WarpSplit { mask: LaneMask::EMPTY, ..self.top });
        next
    }

    /// The path of the majority goes first; of two equal ones, the taken path.
    #[inline(always)]
    pub(crate) fn branch(&mut self, branch: Branch) {
        let taken = WarpSplit { pc: branch.target, mask: branch.taken };
        let rest = WarpSplit { pc: branch.next, mask: self.top.mask - branch.taken };
        if rest.mask.is_empty() {
            self.top = taken;
        } else if taken.mask.is_empty() {
            self.top = rest;
        } else {
            let (first, second) = if taken.mask.count() >= rest.mask.count() { (taken, rest) } else { (rest, taken) };
            let below = self.below.grow();
            (below.pc, below.mask) = (second.pc, second.mask);
            self.count();
            self.top = first;
        }
    }

    /// Lanes whose barrier can open, idle lanes included, come on top.
    #[inline(always)]
    pub(crate) fn open(&mut self, idle: LaneMask) {
        while let Some(split) = self.barriers.open(idle) {
            self.push(split);
        }
    }

    /// Executes the markers that write barrier registers and let no path wait. Returns the participants that are saved.
    #[inline(always)]
    pub(crate) fn write(&mut self, marker: BarrierMarker, idle: LaneMask) -> LaneMask {
        let mask = self.top.mask;
        match marker {
            BarrierMarker::Set { barrier, target } => self.barriers.set(barrier, target, mask),
            BarrierMarker::Break { barrier, lanes } => {
                self.barriers.leave(barrier, lanes);
                self.open(idle);
            }
            BarrierMarker::Save(barrier) => return self.barriers.save(barrier, mask),
            BarrierMarker::Restore { barrier, .. } => {
                self.barriers.restore(barrier, mask);
                self.open(idle);
            }
            BarrierMarker::Sync(_) | BarrierMarker::Yield | BarrierMarker::WarpSync(_) => {}
        }
        LaneMask::EMPTY
    }

    /// The path that runs waits at a collective.
    pub(crate) fn park(&mut self) {
        self.parked.park(self.top);
    }

    /// They go on together, as from a `warpsync`; with those that came last, which are at the same address, as others may be.
    pub(crate) fn wake(&mut self, lanes: LaneMask, next: Pc) {
        let mut woken = LaneMask::EMPTY;
        while let Some(split) = self.parked.wake(lanes) {
            woken |= split.mask;
        }
        if woken.is_empty() {
            return;
        }
        if self.top.pc == next && !self.top.mask.is_empty() {
            self.top.mask |= woken;
        } else {
            self.push(WarpSplit { pc: next, mask: woken });
        }
    }

    pub(crate) fn splits(&self) -> Vec<WarpSplit> {
        let below = self.below.iter().rev().copied();
        self.current().into_iter().chain(below).chain(self.barriers.waiting()).chain(self.parked.iter()).collect()
    }
}
