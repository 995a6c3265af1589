//! The times at which each of some entries is due, and which come next.

use super::level::{Cycle, NEVER};

/// Entries of a group.
const GROUP: usize = 8;

/// A cycle for each of some things; never, to begin with.
///
/// PERF: the earliest of each group of entries is kept, so that few are looked at to find those whose time has come.
#[derive(Clone, Debug)]
pub(crate) struct Times {
    groups: Vec<[Cycle; GROUP]>,
    /// The earliest of each group, and of all.
    earliest: Vec<Cycle>,
    soonest: Cycle,
}

impl Times {
    pub(crate) fn new(count: usize) -> Self {
        let groups = count.div_ceil(GROUP);
        Self { groups: vec![[NEVER; GROUP]; groups], earliest: vec![NEVER; groups], soonest: NEVER }
    }

    /// The earliest of all.
    #[inline]
    pub(crate) fn soonest(&self) -> Cycle {
        self.soonest
    }

    #[inline]
    pub(crate) fn get(&self, number: usize) -> Cycle {
        self.groups[number / GROUP][number % GROUP]
    }

    #[inline]
    pub(crate) fn set(&mut self, number: usize, at: Cycle) {
        let group = &mut self.groups[number / GROUP];
        let before = std::mem::replace(&mut group[number % GROUP], at);
        let earliest = &mut self.earliest[number / GROUP];
        if at <= *earliest {
            *earliest = at;
            self.soonest = self.soonest.min(at);
        } else if before == *earliest {
            *earliest = least(group);
            if before == self.soonest {
                self.soonest = least(&self.earliest);
            }
        }
    }

    /// Sets a time, unless the entry was due before it.
    #[inline]
    pub(crate) fn lower(&mut self, number: usize, at: Cycle) {
        if at < self.get(number) {
            self.set(number, at);
        }
    }

    /// The entries whose time has come, as masks of eight.
    #[inline]
    pub(crate) fn ripe_groups(&self, now: Cycle) -> impl Iterator<Item = (usize, u8)> {
        let ripe = self.earliest.iter().enumerate().filter(move |(_, earliest)| **earliest <= now);
        ripe.map(move |(number, _)| {
            let times = self.groups[number].iter().enumerate();
            (number, times.fold(0, |mask, (place, &at)| mask | u8::from(at <= now) << place))
        })
    }

    /// The entries whose time has come, of at most 128.
    #[inline]
    pub(super) fn ripe(&self, now: Cycle) -> u128 {
        if self.soonest > now {
            return 0;
        }
        self.ripe_groups(now).fold(0, |mask, (number, ripe)| mask | u128::from(ripe) << (GROUP * number))
    }
}

#[inline]
fn least(times: &[Cycle]) -> Cycle {
    times.iter().fold(NEVER, |least, &at| least.min(at))
}

/// The places of the ones of a mask, lowest first.
pub(super) fn ones(mut mask: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = (mask != 0).then(|| mask.trailing_zeros() as usize);
        mask &= mask.wrapping_sub(1);
        place
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_is_a_list_of_times(steps in prop::collection::vec((0..20_usize, 0..30_u64, any::<bool>()), 0..80)) {
            let (mut times, mut model) = (Times::new(20), [NEVER; 20]);
            for (number, at, lowers) in steps {
                if lowers {
                    times.lower(number, at);
                    model[number] = model[number].min(at);
                } else {
                    times.set(number, at);
                    model[number] = at;
                }
                prop_assert_eq!(times.soonest(), least(&model));
                let ripe = model.iter().rev().fold(0, |mask, &time| mask << 1 | u128::from(time <= at));
                prop_assert_eq!(times.ripe(at), ripe);
            }
        }
    }
}
