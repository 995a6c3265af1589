//! Which split of a warp issues next.

use super::Split;
use crate::policy::LowestPc;
use std::cmp::Reverse;

/// Chooses the split of a warp that issues next, for [`StackLess`](crate::StackLess).
///
/// ```
/// use simt::prelude::*;
/// use simt::{Split, SplitSchedule};
///
/// /// Fewest lanes first.
/// #[derive(Clone, Debug, PartialEq)]
/// struct FewestLanes;
///
/// impl SplitSchedule for FewestLanes {
///     const NAME: &'static str = "StackLess<FewestLanes>";
///
///     fn start(_seed: u64) -> Self {
///         Self
///     }
///     fn pick(&mut self, splits: &[Split], _turn: usize) -> usize {
///         (0..splits.len()).min_by_key(|&place| splits[place].mask.count()).unwrap_or(0)
///     }
/// }
///
/// #[kernel]
/// fn parity(x: &mut [u32]) {
///     let i = global_id();
///     if i % 2 == 0 {
///         x[i] = 1;
///     }
/// }
///
/// let mut x = [0; 64];
/// let report = Gpu::<StackLess<FewestLanes>>::default().launch(Grid::new(1, 64), parity(&mut x))?;
/// assert_eq!(report.policy(), "StackLess<FewestLanes>");
/// # Ok::<(), LaunchError>(())
/// ```
pub trait SplitSchedule: Clone + PartialEq + std::fmt::Debug + 'static {
    /// Name of the policy in reports.
    const NAME: &'static str;
    /// Whether every split issues after finitely many others.
    const FAIR: bool = false;

    /// The schedule of a warp that begins. The seed is another one for each warp of a launch.
    fn start(seed: u64) -> Self;

    /// The place of the split that issues next. There are at least two, in the order in which they began, at addresses and
    /// depths of calls that differ. At `turn` stands the one behind the one that has just issued, or the first.
    fn pick(&mut self, splits: &[Split], turn: usize) -> usize;
}

// A schedule without state: how it picks.
macro_rules! schedules {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
            pub struct $name;
        )*
    };
}

schedules! {
    /// The split that began first. Those who do not take a branch keep the age of their split, those who do are new; who
    /// merge have the age of the older. Unfair.
    Oldest;

    /// One split after the other. Fair.
    RoundRobin;

    /// The split with the most lanes; of as many, the one that began first. Unfair.
    MostLanes;
}

macro_rules! picks {
    ($($name:ident $text:literal $fair:literal |$splits:ident, $turn:ident| $place:expr;)*) => {
        $(
            impl SplitSchedule for $name {
                const NAME: &'static str = $text;
                const FAIR: bool = $fair;

                fn start(_seed: u64) -> Self {
                    Self
                }

                #[inline(always)]
                fn pick(&mut self, $splits: &[Split], $turn: usize) -> usize {
                    $place
                }
            }
        )*
    };
}

picks! {
    Oldest "StackLess<Oldest>" false |_splits, _turn| 0;
    RoundRobin "StackLess<RoundRobin>" true |_splits, turn| turn;
    MostLanes "StackLess<MostLanes>" false |splits, _turn| lowest(splits, |split| Reverse(split.mask.count()));
    LowestPc "StackLess<LowestPc>" false |splits, _turn| lowest(splits, |split| (Reverse(split.calls), split.pc));
}

/// The first split with the lowest key.
#[inline(always)]
fn lowest<K: Ord>(splits: &[Split], key: impl Fn(&Split) -> K) -> usize {
    (0..splits.len()).min_by_key(|&place| key(&splits[place])).unwrap_or(0)
}

/// Any split, each as likely. Fair with probability 1.
///
/// The numbers follow from [`GpuConfig::seed`](crate::GpuConfig::seed) and the number of the warp: a launch is the same
/// every time, and another one with another seed. They are drawn only where there is a choice, and do not come again; so a
/// warp that chooses again and again is never where it has been before, and that it will never end cannot be proved: such a
/// launch ends at the step limit.
///
/// ```
/// use simt::prelude::*;
///
/// #[kernel]
/// fn last_writer(x: &mut [u32]) {
///     let i = global_id();
///     if i % 2 == 0 {
///         x[0] = 2;
///     } else {
///         x[0] = 1;
///     }
/// }
///
/// let mut seen = [false; 2];
/// for seed in 0..20 {
///     let mut x = [0];
///     let gpu = Gpu::<StackLess<Random>>::default().with_seed(seed);
///     gpu.launch(Grid::new(1, 32), last_writer(&mut x))?;
///     seen[x[0] as usize - 1] = true;
/// }
/// assert_eq!(seen, [true; 2], "the kernel has a data race");
/// # Ok::<(), LaunchError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Random(u64);

impl SplitSchedule for Random {
    const NAME: &'static str = "StackLess<Random>";

    fn start(seed: u64) -> Self {
        Self(seed)
    }

    #[inline]
    fn pick(&mut self, splits: &[Split], _turn: usize) -> usize {
        self.0 = self.0.wrapping_add(GOLDEN);
        // The high half of a product of a random word: as likely as a word has room for.
        ((u128::from(mixed(self.0)) * splits.len() as u128) >> 64) as usize
    }
}

/// The step of SplitMix64: G. Steele, D. Lea and C. Flood, *Fast splittable pseudorandom number generators*, OOPSLA 2014.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The finalizer of SplitMix64: each bit of the word changes each bit of the result with probability one half.
pub(crate) fn mixed(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}
