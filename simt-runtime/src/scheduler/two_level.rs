//! Two levels: few warps issue in turns, and the others wait for one of them to wait for memory.

use super::round_robin::RoundRobin;
use super::{Candidate, WarpScheduler};
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
    fn pick(&mut self, candidates: &[Candidate]) -> usize {
        // Those behind the last that came in come in next.
        let next = self.next;
        for turn in [true, false] {
            for candidate in candidates.iter().filter(|candidate| (candidate.place >= next) == turn) {
                if self.active.len() < ACTIVE && !self.active.contains(&candidate.place) {
                    self.active.push(candidate.place);
                    self.next = candidate.place + 1;
                }
            }
        }
        let active: SmallVec<[Candidate; ACTIVE]> =
            candidates.iter().copied().filter(|candidate| self.active.contains(&candidate.place)).collect();
        let Some(place) = (!active.is_empty()).then(|| active[self.turns.pick(&active)].place) else {
            // All that are active wait for something short: others fill in.
            return self.turns.pick(candidates);
        };
        candidates.iter().position(|candidate| candidate.place == place).unwrap_or(0)
    }

    fn issued(&mut self, place: usize) {
        self.turns.issued(place);
    }

    fn stalled(&mut self, place: usize) {
        self.active.retain(|active| *active != place);
    }
}
