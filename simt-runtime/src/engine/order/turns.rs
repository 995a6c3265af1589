//! How long turns are.

use crate::engine::Watch;
use crate::policy::mixed;

/// How many instructions a warp issues on average before the next one has its turn.
///
/// **Assumed:** long enough that changing warps costs nothing, short enough that a warp which waits for another in a loop
/// does not waste much.
const TURN: u64 = 1 << 12;

/// Longest turn of a block whose threads are regrouped: its instructions may be atomics, which are more work than it is known
/// to be before.
const TURN_OF_BLOCK: u64 = 1 << 14;

/// Longest turn of a warp that prints, where warps run one after the other: its lines are more work than its instructions.
const PRINTING_TURN: u64 = 1 << 12;

/// The lengths of the turns of a block's units.
#[derive(Clone, Copy, Debug)]
pub(super) enum Lengths {
    /// Until something is to be done, but no longer than this.
    AtMost(u64),
    /// Drawn, and the same every time: the state of the generator.
    ///
    /// Turns of one length resonate: a loop whose period divides it always pauses at the same place, while it holds its lock
    /// for instance, and the warp that waits for the lock never finds it free. With lengths that are drawn, every place of a
    /// loop where a segment ends comes up sooner or later.
    Drawn(u64),
}

impl Lengths {
    /// For a warp that runs while the others of its block do not.
    pub(super) fn of_one() -> Self {
        Self::AtMost(u64::MAX)
    }

    /// For a block whose threads are regrouped.
    pub(super) fn of_block() -> Self {
        Self::AtMost(TURN_OF_BLOCK)
    }

    /// For warps that may wait for each other, whatever other blocks do.
    pub(super) fn drawn(seed: u64, block: usize) -> Self {
        Self::Drawn(mixed(seed.wrapping_mul(3).wrapping_add(block as u64 + 1)))
    }

    /// How many instructions the next turn has.
    #[inline]
    pub(super) fn next(&mut self, watch: &Watch<'_>) -> u64 {
        match self {
            Self::AtMost(most) => watch.longest_turn().min(*most),
            Self::Drawn(_) => self.draw(watch.is_late()),
        }
    }

    /// In the last turn so much was done lane by lane.
    #[inline]
    pub(super) fn printed(&mut self, serial: u64) {
        if let Self::AtMost(most) = self
            && serial > 0
        {
            *most = (*most).min(PRINTING_TURN);
        }
    }

    /// Half of the average to three halves. In a block that has come to nothing for long, anything from a few on: a place that
    /// a warp is seldom at is found by ending many turns.
    fn draw(&mut self, is_late: bool) -> u64 {
        let Self::Drawn(state) = self else { return 0 };
        // An odd increment: all states come up. Of SplitMix64.
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let drawn = mixed(*state);
        if is_late {
            let most = 16 << (drawn % 10);
            most / 2 + (drawn >> 32) % most
        } else {
            TURN / 2 + drawn % TURN
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(seed: u64, block: usize, is_late: bool) -> Vec<u64> {
        let mut turns = Lengths::drawn(seed, block);
        (0..1000).map(|_| turns.draw(is_late)).collect()
    }

    #[test]
    fn turns_follow_from_seed_and_block() {
        assert_eq!(drawn(1, 2, false), drawn(1, 2, false));
        assert_ne!(drawn(1, 2, false), drawn(2, 2, false));
        assert_ne!(drawn(1, 2, false), drawn(1, 3, false));
    }

    #[test]
    fn turns_end_at_every_place_of_a_loop_of_any_period() {
        for is_late in [false, true] {
            for period in 1..40 {
                let mut places = vec![false; period as usize];
                let mut at = 0;
                for turn in drawn(0, 0, is_late) {
                    at = (at + turn) % period;
                    places[at as usize] = true;
                }
                assert!(places.iter().all(|&place| place), "period {period}");
            }
        }
    }

    #[test]
    fn turns_have_their_average() {
        let turns = drawn(7, 7, false);
        let average = turns.iter().sum::<u64>() / 1000;
        assert!((TURN * 9 / 10..TURN * 11 / 10).contains(&average), "{average}");
        assert!(drawn(7, 7, true).iter().all(|&turn| turn > 0 && turn < 2 * TURN * 4));
    }
}
