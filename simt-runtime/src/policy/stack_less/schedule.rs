//! Which split of a warp issues next.

use super::{SplitPlace, Splits};
use crate::policy::{Ends, Guard, LowestPc, Stops};
use std::cmp::Reverse;

/// Chooses the split of a warp that issues next, for [`StackLess`](crate::StackLess).
///
/// ```
/// use simt::prelude::*;
/// use simt::policy::{SplitPlace, SplitSchedule, Splits};
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
///     fn pick<'s>(&mut self, splits: &'s Splits, _turn: SplitPlace<'s>) -> SplitPlace<'s> {
///         splits.first_by(|split| split.mask.count())
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
    /// Where turns end.
    const STOPS: Stops = Stops::AtTargets;
    /// Whether every split issues after finitely many others.
    const FAIR: bool = false;
    /// Which programs of the page on termination end, if that is known.
    const ENDS: Option<Ends> = None;
    /// Whether what becomes of its choices is compared with where lanes are.
    #[doc(hidden)]
    const GUARD: Guard = Guard::ON;

    /// The schedule of a warp that begins. The seed is a different one for each warp of a launch.
    fn start(seed: u64) -> Self;

    /// The split that issues next. There are at least two, at addresses and depths of calls that differ. At `turn` is the
    /// oldest of those that are younger than the one that has just issued, or the oldest of all.
    fn pick<'s>(&mut self, splits: &'s Splits, turn: SplitPlace<'s>) -> SplitPlace<'s>;
}

// A schedule without state: its choice of a split.
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
    /// The split that began first. Lanes that do not take a branch keep the age of their split, those that do are a new
    /// split; splits that merge have the age of the older. Unfair.
    Oldest;

    /// One split after the other. Fair.
    RoundRobin;

    /// The split with the most lanes; of as many, the one that began first. Unfair.
    MostLanes;
}

macro_rules! picks {
    ($($name:ident $text:literal $stops:ident $fair:literal $ends:expr, |$splits:ident, $turn:ident| $place:expr;)*) => {
        $(
            impl SplitSchedule for $name {
                const NAME: &'static str = $text;
                const STOPS: Stops = Stops::$stops;
                const FAIR: bool = $fair;
                const ENDS: Option<Ends> = Some($ends);
                const GUARD: Guard = Guard::OFF;

                fn start(_seed: u64) -> Self {
                    Self
                }

                #[inline(always)]
                fn pick<'s>(&mut self, $splits: &'s Splits, $turn: SplitPlace<'s>) -> SplitPlace<'s> {
                    $place
                }
            }
        )*
    };
}

picks! {
    Oldest "StackLess<Oldest>" AtJoins false Ends { program_2_swapped: false, lock_else: false, ..Ends::ALL }, |splits, _turn| splits.oldest();
    RoundRobin "StackLess<RoundRobin>" AtJoins true Ends::ALL, |_splits, turn| turn;
    MostLanes "StackLess<MostLanes>" AtJoins false Ends::NONE, |splits, _turn| splits.first_by(|split| Reverse(split.mask.count()));
    LowestPc "StackLess<LowestPc>" AtTargets false Ends { program_2_swapped: false, program_3: false, lock_behind: false, ..Ends::ALL }, |splits, _turn| splits.first_by(|split| (Reverse(split.calls()), split.pc()));
}

/// Any split, each with the same probability. Fair with probability 1.
///
/// The numbers follow from [`GpuConfig::seed`](crate::GpuConfig::seed) and the number of the warp: a launch is the same
/// every time, and another one with another seed. A number is drawn only where there is a choice, and the state of the
/// generator does not come again; so a warp that keeps choosing never returns to an earlier configuration, and its livelock
/// cannot be proved: such a launch ends at the [limit of progress](crate::GpuConfig::progress_limit).
///
/// ```
/// use simt::policy::Random;
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
    const STOPS: Stops = Stops::AtJoins;
    const ENDS: Option<Ends> = Some(Ends::ALL);
    const GUARD: Guard = Guard::OFF;

    fn start(seed: u64) -> Self {
        Self(seed)
    }

    #[inline(always)]
    fn pick<'s>(&mut self, splits: &'s Splits, _turn: SplitPlace<'s>) -> SplitPlace<'s> {
        self.0 = self.0.wrapping_mul(MULTIPLIER).wrapping_add(1);
        // The high half of a product with the number's better half, which has 32 bits: the choices are equally likely up to
        // rounding.
        splits.nth((((self.0 >> 32) * splits.count() as u64) >> 32) as usize)
    }
}

/// The multiplier of a linear congruential generator of 64 bits: G. Steele and S. Vigna, *Computationally easy, spectrally
/// good multipliers
/// for congruential pseudorandom number generators*, Software: Practice and Experience, 2022.
const MULTIPLIER: u64 = 0xd134_2543_de82_ef95;
