//! The choice of the warp that issues: one small trait, a file for each scheduler.

mod candidates;
mod greedy;
mod oldest;
mod round_robin;
mod two_level;

pub(crate) use candidates::Candidates;
use greedy::GreedyThenOldest;
use oldest::OldestFirst;
use round_robin::RoundRobin;
use two_level::TwoLevel;

/// Chooses among the warps of a core.
pub(crate) trait WarpScheduler: Send {
    /// The place of the candidate to try, if there is one.
    fn pick(&mut self, candidates: &Candidates) -> Option<usize>;

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

    /// The places that issue, of warps that all can, in so many issues.
    fn order(scheduling: WarpScheduling, places: &[usize], issues: usize) -> Vec<usize> {
        let mut scheduler = scheduling.start();
        let candidates = Candidates::of(places);
        (0..issues)
            .map(|_| {
                let place = scheduler.pick(&candidates).expect("there are some");
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
        assert_eq!(scheduler.pick(&Candidates::of(&[3, 21])), Some(3));
        assert_eq!(scheduler.pick(&Candidates::of(&[1, 21])), Some(21));
        assert_eq!(scheduler.pick(&Candidates::of(&[])), None);
    }

    #[test]
    fn of_two_levels_the_active_ones_issue_until_one_waits() {
        let mut scheduler = WarpScheduling::TwoLevel.start();
        let mut issues = |candidates: &Candidates, count: usize| -> Vec<usize> {
            let issue = |_| {
                let place = scheduler.pick(candidates).expect("there are some");
                scheduler.issued(place);
                place
            };
            let issued = (0..count).map(issue).collect();
            scheduler.stalled(2);
            issued
        };
        let all: Vec<usize> = (0..12).collect();
        assert_eq!(issues(&Candidates::of(&all), 10), [0, 1, 2, 3, 4, 5, 6, 7, 0, 1]);
        let rest: Vec<usize> = all.into_iter().filter(|&place| place != 2).collect();
        assert_eq!(issues(&Candidates::of(&rest), 9), [3, 4, 5, 6, 7, 8, 0, 1, 3]);
    }
}
