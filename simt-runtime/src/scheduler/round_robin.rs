//! Loose round robin.

use super::{Candidates, WarpScheduler};

/// The first candidate behind the warp that issued last.
#[derive(Clone, Debug, Default)]
pub(super) struct RoundRobin {
    next: usize,
}

impl RoundRobin {
    /// Chooses among some places, lowest first.
    pub(super) fn pick_of(&self, places: impl Iterator<Item = usize>) -> Option<usize> {
        let mut first = None;
        for place in places {
            if place >= self.next {
                return Some(place);
            }
            first.get_or_insert(place);
        }
        first
    }
}

impl WarpScheduler for RoundRobin {
    fn pick(&mut self, candidates: &Candidates) -> Option<usize> {
        candidates.from(self.next).or_else(|| candidates.from(0))
    }

    fn issued(&mut self, place: usize) {
        self.next = place + 1;
    }
}
