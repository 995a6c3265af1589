//! The oldest first.

use super::{Candidate, WarpScheduler};

/// The candidate whose block came first; of a block, the one of the lowest place.
#[derive(Clone, Debug, Default)]
pub(super) struct OldestFirst;

/// The number of the oldest.
pub(super) fn oldest(candidates: &[Candidate]) -> usize {
    // Of one age, the first is of the lowest place.
    let mut oldest = (0, u64::MAX);
    for (number, candidate) in candidates.iter().enumerate() {
        if candidate.age < oldest.1 {
            oldest = (number, candidate.age);
        }
    }
    oldest.0
}

impl WarpScheduler for OldestFirst {
    fn pick(&mut self, candidates: &[Candidate]) -> usize {
        oldest(candidates)
    }

    fn issued(&mut self, _place: usize) {}
}
