//! The times at which each of some entries is due, and which come next.

use super::level::{Cycle, NEVER};

/// Entries of a group.
const GROUP: usize = 8;

/// A cycle for each of some things; never, to begin with.
///
/// PERF: in groups, of each of which a bound is kept, so that few are looked at to find those whose time has come.
#[derive(Clone, Debug)]
pub(crate) struct Times {
    groups: Vec<[Cycle; GROUP]>,
    /// No time of a group is earlier.
    bounds: Vec<Cycle>,
    /// No time is earlier.
    soonest: Cycle,
}

impl Times {
    pub(crate) fn new(count: usize) -> Self {
        let groups = count.div_ceil(GROUP);
        Self { groups: vec![[NEVER; GROUP]; groups], bounds: vec![NEVER; groups], soonest: NEVER }
    }

    /// A bound of all times. Exact after [`Times::settle`] and [`Times::take`], except for times that have been raised since.
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
        self.groups[number / GROUP][number % GROUP] = at;
        let bound = &mut self.bounds[number / GROUP];
        *bound = at.min(*bound);
        self.soonest = at.min(self.soonest);
    }

    /// Sets a time, unless the entry was due before it.
    #[inline]
    pub(crate) fn lower(&mut self, number: usize, at: Cycle) {
        self.set(number, self.get(number).min(at));
    }

    /// The entries whose time has come, as masks of eight.
    #[inline]
    pub(crate) fn ripe_groups(&self, now: Cycle) -> impl Iterator<Item = (usize, u8)> {
        let ripe = self.bounds.iter().enumerate().filter(move |(_, bound)| **bound <= now);
        ripe.map(move |(number, _)| (number, ripe_of(self.groups[number], now)))
    }

    /// The entries whose time has come, of at most 128; each is due never, until it is set again.
    #[inline]
    pub(crate) fn take(&mut self, now: Cycle) -> u128 {
        let mut mask = 0;
        if self.soonest > now {
            return mask;
        }
        self.soonest = NEVER;
        for (number, (group, bound)) in self.groups.iter_mut().zip(&mut self.bounds).enumerate() {
            if *bound <= now {
                mask |= u128::from(ripe_of(*group, now)) << (GROUP * number);
                *group = group.map(|at| if at <= now { NEVER } else { at });
                *bound = least(*group);
            }
            self.soonest = self.soonest.min(*bound);
        }
        mask
    }

    /// Computes the bounds again that lie before a time or at it.
    #[inline]
    pub(crate) fn settle(&mut self, now: Cycle) {
        if self.soonest > now {
            return;
        }
        self.soonest = NEVER;
        for (group, bound) in self.groups.iter().zip(&mut self.bounds) {
            if *bound <= now {
                *bound = least(*group);
            }
            self.soonest = self.soonest.min(*bound);
        }
    }
}

/// PERF: without a loop that could end early, so that the compiler unrolls it.
#[inline]
fn ripe_of(times: [Cycle; GROUP], now: Cycle) -> u8 {
    let [a, b, c, d, e, f, g, h] = times.map(|at| u8::from(at <= now));
    a | b << 1 | c << 2 | d << 3 | e << 4 | f << 5 | g << 6 | h << 7
}

#[inline]
fn least([a, b, c, d, e, f, g, h]: [Cycle; GROUP]) -> Cycle {
    a.min(b).min(c.min(d)).min(e.min(f).min(g.min(h)))
}

/// The places of the ones of a mask, lowest first.
pub(crate) fn ones(mut mask: u128) -> impl Iterator<Item = usize> {
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
                let ripe = times.ripe_groups(at).fold(0, |mask, (group, ripe)| mask | u128::from(ripe) << (8 * group));
                let expected = model.iter().rev().fold(0, |mask, &time| mask << 1 | u128::from(time <= at));
                prop_assert_eq!(ripe, expected);
                times.settle(NEVER);
                prop_assert_eq!(Some(times.soonest()), model.iter().copied().min());
                if at % 5 == 0 {
                    prop_assert_eq!(times.take(at), expected);
                    model.iter_mut().filter(|time| **time <= at).for_each(|time| *time = NEVER);
                    prop_assert_eq!(Some(times.soonest()), model.iter().copied().min());
                }
            }
        }
    }
}
