//! The oldest first.

use super::{Candidates, WarpScheduler};

/// The candidate whose block came first; of a block, the one of the lowest place.
#[derive(Clone, Debug, Default)]
pub(super) struct OldestFirst;

impl WarpScheduler for OldestFirst {
    fn pick(&mut self, candidates: &Candidates) -> Option<usize> {
        candidates.oldest()
    }

    fn issued(&mut self, _place: usize) {}
}
