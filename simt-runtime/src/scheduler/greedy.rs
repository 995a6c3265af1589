//! Greedy, then oldest.

use super::oldest::oldest;
use super::{Candidate, WarpScheduler};

/// The warp that issued last, if it can; else the oldest.
#[derive(Clone, Debug, Default)]
pub(super) struct GreedyThenOldest {
    last: Option<usize>,
}

impl WarpScheduler for GreedyThenOldest {
    fn pick(&mut self, candidates: &[Candidate]) -> usize {
        let last = candidates.iter().position(|candidate| Some(candidate.place) == self.last);
        last.unwrap_or_else(|| oldest(candidates))
    }

    fn issued(&mut self, place: usize) {
        self.last = Some(place);
    }
}
