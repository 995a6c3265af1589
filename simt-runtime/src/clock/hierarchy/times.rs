//! When each of some things is due, and which is next.

use super::level::{Cycle, NEVER};

/// A cycle for each of some things; never, to begin with.
#[derive(Clone, Debug)]
pub(super) struct Times {
    times: Vec<Cycle>,
    /// The soonest of them.
    soonest: Cycle,
}

impl Times {
    pub(super) fn new(count: usize) -> Self {
        Self { times: vec![NEVER; count], soonest: NEVER }
    }

    pub(super) fn soonest(&self) -> Cycle {
        self.soonest
    }

    pub(super) fn get(&self, number: usize) -> Cycle {
        self.times[number]
    }

    /// The time of one thing is now this.
    pub(super) fn set(&mut self, number: usize, at: Cycle) {
        let old = std::mem::replace(&mut self.times[number], at);
        if at < self.soonest {
            self.soonest = at;
        } else if old == self.soonest && old != at {
            self.soonest = self.least();
        }
    }

    /// It is this, unless it was sooner.
    pub(super) fn lower(&mut self, number: usize, at: Cycle) {
        self.times[number] = self.times[number].min(at);
        self.soonest = self.soonest.min(at);
    }

    /// The first thing whose time has come; its time is now never.
    pub(super) fn take(&mut self, now: Cycle) -> Option<usize> {
        if self.soonest > now {
            return None;
        }
        let number = self.times.iter().position(|&at| at <= now)?;
        self.set(number, NEVER);
        Some(number)
    }

    fn least(&self) -> Cycle {
        self.times.iter().fold(NEVER, |least, &at| least.min(at))
    }
}
