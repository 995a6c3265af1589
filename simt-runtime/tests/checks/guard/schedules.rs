//! Schedules of users, which run on policies of ours.

use super::{breaks, keeps};
use simt_runtime::{Check, Dwf, PolicyConfig, SplitPlace, SplitSchedule, Splits, StackLess, WarpPool, WarpSchedule};

/// Chooses no warp, or one that is not there.
#[derive(Clone, Debug, PartialEq)]
struct NoWarp<const PLACE: usize>;

impl<const PLACE: usize> WarpSchedule for NoWarp<PLACE> {
    const NAME: &'static str = "Dwf<NoWarp>";
    fn start(_config: &PolicyConfig) -> Self {
        Self
    }
    fn pick(&mut self, _pool: &WarpPool) -> Option<usize> {
        (PLACE > 0).then_some(PLACE)
    }
}

#[test]
fn a_schedule_that_chooses_no_warp_is_named() {
    breaks::<Dwf<NoWarp<0>>>(&[Check::I4]);
    breaks::<Dwf<NoWarp<{ usize::MAX }>>>(&[Check::I4]);
}

#[derive(Clone, Debug, PartialEq)]
struct Turns(usize);

impl SplitSchedule for Turns {
    const NAME: &'static str = "StackLess<Turns>";
    fn start(_seed: u64) -> Self {
        Self(0)
    }
    fn pick<'s>(&mut self, splits: &'s Splits, _turn: SplitPlace<'s>) -> SplitPlace<'s> {
        self.0 = self.0.wrapping_mul(31).wrapping_add(usize::MAX / 3);
        splits.nth(self.0)
    }
}

#[test]
fn a_schedule_can_choose_no_split_that_is_not_there() {
    keeps::<StackLess<Turns>>();
}
