//! The times at which each of some entries is due, and which come next.

use super::level::{Cycle, NEVER};

/// A cycle for each of at most 128 things; never, to begin with.
#[derive(Clone, Debug)]
pub(super) struct Times {
    times: Vec<Cycle>,
    /// A lower bound of all times.
    soonest: Cycle,
}

impl Times {
    pub(super) fn new(count: usize) -> Self {
        Self { times: vec![NEVER; count], soonest: NEVER }
    }

    /// The bound. Exact after [`Times::settle`], except for times that have been raised since.
    pub(super) fn soonest(&self) -> Cycle {
        self.soonest
    }

    pub(super) fn set(&mut self, number: usize, at: Cycle) {
        self.times[number] = at;
        self.soonest = self.soonest.min(at);
    }

    /// Sets a time, unless the entry was due before it.
    pub(super) fn lower(&mut self, number: usize, at: Cycle) {
        self.set(number, self.times[number].min(at));
    }

    /// The entries whose time has come, as a mask.
    pub(super) fn ripe(&self, now: Cycle) -> u128 {
        if self.soonest > now {
            return 0;
        }
        self.times.iter().rev().fold(0, |mask, &at| mask << 1 | u128::from(at <= now))
    }

    /// Computes the minimum again if it may have grown.
    pub(super) fn settle(&mut self, now: Cycle) {
        if self.soonest <= now {
            self.soonest = self.times.iter().fold(NEVER, |least, &at| least.min(at));
        }
    }
}

/// The places of the ones of a mask, lowest first.
pub(super) fn ones(mut mask: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = (mask != 0).then(|| mask.trailing_zeros() as usize);
        mask &= mask.wrapping_sub(1);
        place
    })
}
