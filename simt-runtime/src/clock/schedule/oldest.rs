//! The oldest first.

use super::{Candidate, WarpScheduler};

/// The candidate whose block came first; of a block, the one of the lowest place.
#[derive(Clone, Debug, Default)]
pub(super) struct OldestFirst;

/// The number of the oldest.
pub(super) fn oldest(candidates: &[Candidate]) -> usize {
    let by_age = candidates.iter().enumerate().min_by_key(|(_, candidate)| (candidate.age, candidate.place));
    by_age.map_or(0, |(number, _)| number)
}

impl WarpScheduler for OldestFirst {
    fn pick(&mut self, candidates: &[Candidate]) -> usize {
        oldest(candidates)
    }

    fn issued(&mut self, _place: usize) {}
}
