//! Two levels: few warps issue in turns, and the others wait for one of them to wait for memory.

use super::round_robin::RoundRobin;
use super::{Candidates, WarpScheduler};
use smallvec::SmallVec;

/// Warps that take turns.
const ACTIVE: usize = 8;

/// Round robin among the active warps. They leave when they wait for memory.
#[derive(Clone, Debug, Default)]
pub(super) struct TwoLevel {
    active: SmallVec<[usize; ACTIVE]>,
    turns: RoundRobin,
    /// The place behind the warp that became active last.
    next: usize,
}

impl WarpScheduler for TwoLevel {
    fn pick(&mut self, candidates: &Candidates) -> Option<usize> {
        // Those behind the last that came in come in next.
        let next = self.next;
        for turn in [true, false] {
            for place in candidates.iter().filter(|&place| (place >= next) == turn) {
                if self.active.len() < ACTIVE && !self.active.contains(&place) {
                    self.active.push(place);
                    self.next = place + 1;
                }
            }
        }
        let active = candidates.iter().filter(|place| self.active.contains(place));
        // If all that are active wait for something short, others fill in.
        self.turns.pick_of(active).or_else(|| self.turns.pick(candidates))
    }

    fn issued(&mut self, place: usize) {
        self.turns.issued(place);
    }

    fn stalled(&mut self, place: usize) {
        self.active.retain(|active| *active != place);
    }
}
