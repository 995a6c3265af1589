//! The choice of the warp that issues: one small trait, a file for each scheduler.

mod greedy;
mod oldest;
mod round_robin;
mod two_level;

use greedy::GreedyThenOldest;
use oldest::OldestFirst;
use round_robin::RoundRobin;
use two_level::TwoLevel;

/// A warp that may be able to issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    /// Its place on the core.
    pub(crate) place: usize,
    /// The time at which its block came to the core: lower is older.
    pub(crate) age: u64,
}

/// Chooses among the warps of a core.
pub(crate) trait WarpScheduler: Send {
    /// The number of the candidate to try; candidates are in the order of their places, and there is at least one.
    fn pick(&mut self, candidates: &[Candidate]) -> usize;

    /// The warp of a place has issued.
    fn issued(&mut self, place: usize);

    /// The warp of a place waits for memory.
    fn stalled(&mut self, _place: usize) {}
}

macro_rules! schedulings {
    ($($(#[$doc:meta])* $name:ident => $new:expr;)*) => {
        /// How a core chooses the warp that issues next. Policies of a core choose among the threads of a block themselves;
        /// then it chooses among blocks.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
        pub enum WarpScheduling {
            $($(#[$doc])* $name,)*
        }

        impl WarpScheduling {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// Its name.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => stringify!($name),)* }
            }

            pub(crate) fn start(self) -> Box<dyn WarpScheduler> {
                match self { $(Self::$name => Box::new($new),)* }
            }
        }
    };
}

schedulings! {
    /// Loose round robin: the next warp behind the one that has issued.
    RoundRobin => RoundRobin::default();
    /// The warp that has issued as long as it can, then the oldest (T. G. Rogers, M. O'Connor and T. M. Aamodt,
    /// *Cache-Conscious Wavefront Scheduling*, MICRO 2012, section 4).
    GreedyThenOldest => GreedyThenOldest::default();
    /// The warp whose block came first.
    OldestFirst => OldestFirst;
    /// Eight warps take turns; one that waits for memory makes room for another (V. Narasiman et al., *Improving GPU
    /// Performance via Large Warps and Two-Level Warp Scheduling*, MICRO 2011, section 3.2, whose groups have eight).
    TwoLevel => TwoLevel::default();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidates(places: &[usize]) -> Vec<Candidate> {
        places.iter().map(|&place| Candidate { place, age: (100 - place) as u64 / 10 }).collect()
    }

    /// The places that issue, of warps that all can, in so many issues.
    fn order(scheduling: WarpScheduling, places: &[usize], issues: usize) -> Vec<usize> {
        let mut scheduler = scheduling.start();
        let candidates = candidates(places);
        (0..issues)
            .map(|_| {
                let place = candidates[scheduler.pick(&candidates)].place;
                scheduler.issued(place);
                place
            })
            .collect()
    }

    #[test]
    fn each_has_its_order() {
        use WarpScheduling::{GreedyThenOldest, OldestFirst, RoundRobin, TwoLevel};
        assert_eq!(order(RoundRobin, &[0, 2, 5], 5), [0, 2, 5, 0, 2]);
        // Places 11 to 13 are of an older block.
        assert_eq!(order(OldestFirst, &[1, 11, 13], 3), [11, 11, 11]);
        assert_eq!(order(GreedyThenOldest, &[1, 11, 13], 3), [11, 11, 11]);
        assert_eq!(order(TwoLevel, &[0, 1, 2], 4), [0, 1, 2, 0]);
    }

    #[test]
    fn greedy_stays_until_it_cannot() {
        let mut scheduler = WarpScheduling::GreedyThenOldest.start();
        scheduler.issued(3);
        let (both, other) = (candidates(&[3, 21]), candidates(&[1, 21]));
        assert_eq!(both[scheduler.pick(&both)].place, 3);
        assert_eq!(other[scheduler.pick(&other)].place, 21);
    }

    #[test]
    fn of_two_levels_the_active_ones_issue_until_one_waits() {
        let mut scheduler = WarpScheduling::TwoLevel.start();
        let all = candidates(&(0..12).collect::<Vec<_>>());
        let mut issue = || {
            let place = all[scheduler.pick(&all)].place;
            scheduler.issued(place);
            place
        };
        assert_eq!((0..10).map(|_| issue()).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5, 6, 7, 0, 1]);
        scheduler.stalled(2);
        let rest: Vec<_> = all.iter().copied().filter(|candidate| candidate.place != 2).collect();
        let mut issue = || {
            let place = rest[scheduler.pick(&rest)].place;
            scheduler.issued(place);
            place
        };
        assert_eq!((0..9).map(|_| issue()).collect::<Vec<_>>(), [3, 4, 5, 6, 7, 8, 0, 1, 3]);
    }
}
