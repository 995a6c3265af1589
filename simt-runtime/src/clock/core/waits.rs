//! When each unit of a core is worth trying again, and why it could not issue.

use crate::clock::figures::Stall;
use crate::clock::flights::UNKNOWN;
use crate::hierarchy::{Cycle, Times};
use crate::scheduler::Candidates;

/// The units of a core by place: the unit's number among those of all blocks.
pub(super) struct Waits {
    /// When a unit is worth trying again.
    wakes: Times,
    /// Why it could not issue when it was tried.
    stalls: Vec<Stall>,
    /// How many could issue but for a unit, the way to memory or what forms warps, that is busy.
    held_up: usize,
    of_block: usize,
}

/// Whether a unit could issue but for a unit, the way to memory or what forms warps.
fn holds_up(stall: Stall) -> bool {
    matches!(stall, Stall::Pipeline | Stall::Formation)
}

impl Waits {
    /// Those of empty slots.
    pub(super) fn new(slots: usize, of_block: usize) -> Self {
        let places = slots * of_block;
        Self { wakes: Times::new(places), stalls: vec![Stall::NotSelected; places], held_up: 0, of_block }
    }

    fn of_slot(&self, slot: usize) -> std::ops::Range<usize> {
        slot * self.of_block..(slot + 1) * self.of_block
    }

    /// When a unit is worth trying again.
    pub(super) fn wake(&self, place: usize) -> Cycle {
        self.wakes.get(place)
    }

    /// When the next unit is, after what has been tried in a cycle.
    pub(super) fn soonest(&mut self, now: Cycle) -> Cycle {
        self.wakes.settle(now);
        self.wakes.soonest()
    }

    /// The units whose time has come become candidates.
    pub(super) fn wake_up(&self, now: Cycle, candidates: &mut Candidates) {
        candidates.set(self.wakes.ripe_groups(now));
    }

    /// A unit is worth trying at a time.
    pub(super) fn set(&mut self, place: usize, wake: Cycle) {
        self.wakes.set(place, wake);
    }

    /// The units of a block are.
    pub(super) fn set_all(&mut self, slot: usize, wake: Cycle) {
        self.of_slot(slot).for_each(|place| self.wakes.set(place, wake));
    }

    /// The units of a block have ended.
    pub(super) fn end(&mut self, slot: usize) {
        self.set_all(slot, UNKNOWN);
        // What they waited for comes to nothing.
        self.wakes.settle(UNKNOWN);
    }

    /// A unit is worth trying at a time, unless it was before.
    pub(super) fn lower(&mut self, place: usize, wake: Cycle) {
        self.wakes.lower(place, wake);
    }

    /// The units of a block are.
    pub(super) fn lower_all(&mut self, slot: usize, wake: Cycle) {
        self.of_slot(slot).for_each(|place| self.wakes.lower(place, wake));
    }

    /// Why a unit could not issue, if it could not.
    pub(super) fn stall(&mut self, place: usize, stall: Stall) {
        let before = std::mem::replace(&mut self.stalls[place], stall);
        self.held_up = self.held_up + usize::from(holds_up(stall)) - usize::from(holds_up(before));
    }

    /// Whether a unit could issue but for a unit, the way to memory or what forms warps, that is busy.
    pub(super) fn is_held_up(&self, now: Cycle) -> bool {
        self.held_up > 0
            && self.stalls.iter().enumerate().any(|(place, &stall)| holds_up(stall) && self.wake(place) > now)
    }

    /// Units that waited for the way to memory are worth trying now. Returns whether there are some.
    pub(super) fn has_sent(&mut self, now: Cycle) -> bool {
        let mut some = false;
        if self.held_up > 0 {
            for place in 0..self.stalls.len() {
                if self.stalls[place] == Stall::Pipeline && self.wake(place) == UNKNOWN {
                    self.wakes.set(place, now);
                    some = true;
                }
            }
        }
        some
    }
}
