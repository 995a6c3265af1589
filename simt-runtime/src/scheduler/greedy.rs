//! Greedy, then oldest.

use super::{Candidates, WarpScheduler};

/// The warp that issued last, if it can; else the oldest.
#[derive(Clone, Debug, Default)]
pub(super) struct GreedyThenOldest {
    last: Option<usize>,
}

impl WarpScheduler for GreedyThenOldest {
    fn pick(&mut self, candidates: &Candidates) -> Option<usize> {
        self.last.filter(|&last| candidates.contains(last)).or_else(|| candidates.oldest())
    }

    fn issued(&mut self, place: usize) {
        self.last = Some(place);
    }
}
