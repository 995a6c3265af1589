//! When each of some things is due, and which are next.

use super::level::{Cycle, NEVER};

/// A cycle for each of at most 128 things; never, to begin with.
#[derive(Clone, Debug)]
pub(super) struct Times {
    times: Vec<Cycle>,
    /// The soonest of them, or sooner.
    soonest: Cycle,
}

impl Times {
    pub(super) fn new(count: usize) -> Self {
        Self { times: vec![NEVER; count], soonest: NEVER }
    }

    /// Exact after [`Times::settle`], but for what became later since.
    pub(super) fn soonest(&self) -> Cycle {
        self.soonest
    }

    pub(super) fn set(&mut self, number: usize, at: Cycle) {
        self.times[number] = at;
        self.soonest = self.soonest.min(at);
    }

    /// It is due then, unless it was sooner.
    pub(super) fn lower(&mut self, number: usize, at: Cycle) {
        self.set(number, self.times[number].min(at));
    }

    /// The things whose time has come, as a mask.
    pub(super) fn ripe(&self, now: Cycle) -> u128 {
        if self.soonest > now {
            return 0;
        }
        self.times.iter().rev().fold(0, |mask, &at| mask << 1 | u128::from(at <= now))
    }

    /// Finds the soonest anew if it may have become later.
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
