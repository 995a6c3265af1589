//! Lanes that come back at known times.

use crate::hierarchy::Cycle;
use simt_core::LaneMask;
use std::collections::VecDeque;

/// A time that is not known: that of a reply from memory or of another thread.
pub(crate) const UNKNOWN: Cycle = Cycle::MAX;

/// How many cycles apart lanes are that are kept by their cycle.
const NEAR: usize = 32;

/// The lanes of a warp whose instruction is under way, by the cycle in which they come back.
///
/// PERF: most come back within few cycles of each other, and have a place there by the cycle alone.
#[derive(Debug)]
pub(crate) struct Flights {
    /// By the cycle modulo their number, those that come back in one of the cycles from `first` to `last`.
    near: [LaneMask; NEAR],
    /// The places of those of `near` that are not empty.
    places: u32,
    first: Cycle,
    last: Cycle,
    /// Those whose cycle is not near to the others, soonest first.
    far: VecDeque<(Cycle, LaneMask)>,
    /// When the next come back.
    next: Cycle,
}

impl Default for Flights {
    fn default() -> Self {
        Self { near: [LaneMask::EMPTY; NEAR], places: 0, first: 0, last: 0, far: VecDeque::new(), next: UNKNOWN }
    }
}

impl Flights {
    pub(crate) fn clear(&mut self) {
        (self.near, self.places, self.next) = ([LaneMask::EMPTY; NEAR], 0, UNKNOWN);
        self.far.clear();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.next == UNKNOWN
    }

    /// The cycle in which the next lanes come back.
    #[inline]
    pub(crate) fn next(&self) -> Cycle {
        self.next
    }

    /// Lanes come back in a cycle.
    #[inline]
    pub(crate) fn insert(&mut self, lanes: LaneMask, until: Cycle) {
        self.next = self.next.min(until);
        let (mut first, mut last) = (until, until);
        if self.places != 0 {
            (first, last) = (until.min(self.first), until.max(self.last));
        }
        if last - first < NEAR as Cycle {
            (self.first, self.last) = (first, last);
            let place = until as usize % NEAR;
            self.near[place] |= lanes;
            self.places |= 1 << place;
        } else {
            self.insert_far(lanes, until);
        }
    }

    #[inline(never)]
    fn insert_far(&mut self, lanes: LaneMask, until: Cycle) {
        let place = self.far.partition_point(|&(other, _)| other <= until);
        self.far.insert(place, (until, lanes));
    }

    /// The lanes that have come back by now. They leave.
    #[inline]
    pub(crate) fn land(&mut self, now: Cycle) -> LaneMask {
        let mut landed = LaneMask::EMPTY;
        if self.next > now {
            return landed;
        }
        while self.places != 0 && self.first <= now {
            let place = self.first as usize % NEAR;
            landed |= std::mem::take(&mut self.near[place]);
            self.places &= !(1 << place);
            self.first += Cycle::from(self.places.rotate_right(place as u32).trailing_zeros());
        }
        while let Some(&(until, lanes)) = self.far.front()
            && until <= now
        {
            landed |= lanes;
            self.far.pop_front();
        }
        let near = if self.places == 0 { UNKNOWN } else { self.first };
        self.next = self.far.front().map_or(near, |&(until, _)| near.min(until));
        landed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Each step adds a lane that comes back so much later, or lets time go on so far.
        #[test]
        fn it_is_a_list_of_lanes_by_cycle(steps in prop::collection::vec((any::<bool>(), 0..90_u64), 0..120)) {
            let (mut flights, mut model) = (Flights::default(), Vec::new());
            let mut now = 7;
            for (number, (adds, cycles)) in steps.into_iter().enumerate() {
                let lane = LaneMask::lane(number % 64);
                if adds && !model.iter().any(|&(_, other)| other == lane) {
                    flights.insert(lane, now + cycles);
                    model.push((now + cycles, lane));
                } else {
                    now += cycles / 8;
                    let landed = model.iter().filter(|(until, _)| *until <= now);
                    let landed = landed.fold(LaneMask::EMPTY, |all, &(_, lane)| all | lane);
                    prop_assert_eq!(flights.land(now), landed);
                    model.retain(|&(until, _)| until > now);
                }
                prop_assert_eq!(flights.next(), model.iter().map(|&(until, _)| until).min().unwrap_or(UNKNOWN));
                prop_assert_eq!(flights.is_empty(), model.is_empty());
            }
            flights.clear();
            prop_assert_eq!((flights.land(UNKNOWN - 1), flights.next()), (LaneMask::EMPTY, UNKNOWN));
        }
    }
}
