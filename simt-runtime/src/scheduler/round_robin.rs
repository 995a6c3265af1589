//! Loose round robin.

use super::{Candidate, WarpScheduler};

/// The first candidate behind the warp that issued last.
#[derive(Clone, Debug, Default)]
pub(super) struct RoundRobin {
    next: usize,
}

impl WarpScheduler for RoundRobin {
    fn pick(&mut self, candidates: &[Candidate]) -> usize {
        candidates.iter().position(|candidate| candidate.place >= self.next).unwrap_or(0)
    }

    fn issued(&mut self, place: usize) {
        self.next = place + 1;
    }
}
