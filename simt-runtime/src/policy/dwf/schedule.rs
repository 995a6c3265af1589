//! Which warp of the pool issues next (TACO'09, section 4.3).

use super::heap::Heap;
use super::pool::WarpPool;
use crate::policy::{Ends, Figure, Guard, PolicyConfig, Stops};
use simt_core::code::Pc;
use std::cmp::Reverse;

/// Chooses the warp of the pool that issues next, for [`Dwf`](super::Dwf).
///
/// ```
/// use simt::prelude::*;
/// use simt::policy::{PolicyConfig, WarpPool, WarpSchedule};
///
/// /// The fullest warp first.
/// #[derive(Clone, Debug, Default, PartialEq)]
/// struct Fullest;
///
/// impl WarpSchedule for Fullest {
///     const NAME: &'static str = "Dwf<Fullest>";
///
///     fn start(_config: &PolicyConfig) -> Self {
///         Self
///     }
///     fn pick(&mut self, pool: &WarpPool) -> Option<usize> {
///         let warps = pool.warps().enumerate();
///         warps.max_by_key(|(place, warp)| (warp.threads, usize::MAX - place)).map(|(place, _)| place)
///     }
/// }
///
/// #[kernel]
/// fn parity(x: &mut [u32]) {
///     let i = global_id();
///     if i / 4 % 2 == 0 {
///         x[i] = 1;
///     } else {
///         x[i] = 2;
///     }
/// }
///
/// let mut x = [0; 64];
/// let report = Gpu::<Dwf<Fullest>>::default().launch(Grid::new(1, 64), parity(&mut x))?;
/// assert_eq!(report.policy(), "Dwf<Fullest>");
/// # Ok::<(), LaunchError>(())
/// ```
pub trait WarpSchedule: Clone + PartialEq + std::fmt::Debug + 'static {
    /// Name of the policy in reports.
    const NAME: &'static str;
    /// Whether it needs to know how many post-dominators threads have passed, which takes time to count.
    const COUNTS_POST_DOMINATORS: bool = false;
    /// Where turns end.
    const STOPS: Stops = Stops::AtTargets;
    /// Whether every warp of the pool issues after finitely many others.
    const FAIR: bool = false;
    /// Which programs of the page on termination end, if that is known.
    const ENDS: Option<Ends> = None;
    /// Whether what becomes of its choices is compared with where threads are.
    #[doc(hidden)]
    const GUARD: Guard = Guard::ON;

    /// The schedule of a block that begins.
    fn start(config: &PolicyConfig) -> Self;

    /// With a clock, when all threads have come to the pool that do by now, and it is not empty: the cycle in which the
    /// schedule can say which warp issues, if no other thread comes. Until then no warp of the block issues.
    fn ready(&mut self, _pool: &WarpPool, now: u64) -> u64 {
        now
    }

    /// The warp that issues next, by its place in [`WarpPool::warps`]; `None` only if there is none.
    fn pick(&mut self, pool: &WarpPool) -> Option<usize>;

    /// Called when so many threads have come to an address of the pool.
    #[inline(always)]
    fn arrived(&mut self, _pc: Pc, _threads: usize) {}

    /// Reports the figures that it has counted.
    #[inline]
    fn figures(&self, _tell: &mut dyn FnMut(Figure)) {}
}

/// The first warp of the address with the lowest key.
fn of_address<K: Ord>(pool: &WarpPool, key: impl Fn(Pc, usize) -> K) -> Option<usize> {
    let lowest = pool.addresses().iter().min_by_key(|&&(pc, threads)| key(pc, threads));
    lowest.and_then(|&(pc, _)| pool.first_at(pc))
}

/// *DMaj*: all warps of the address that most threads are at, before another address is chosen. Among addresses with as
/// many threads the lowest; with a heap ([`DwfHeap`](crate::DwfHeap)), the one that is on top.
#[derive(Clone, Debug, PartialEq)]
pub struct Majority {
    /// The address whose warps issue.
    majority: Option<Pc>,
    heap: Option<Heap>,
}

impl WarpSchedule for Majority {
    const NAME: &'static str = "Dwf<Majority>";
    const ENDS: Option<Ends> = Some(Ends::NONE);
    const GUARD: Guard = Guard::OFF;

    fn start(config: &PolicyConfig) -> Self {
        Self {
            majority: None,
            heap: config.dwf.heap.map(|size| Heap::new(size, config.timing.map(|timing| timing.issue_cycles))),
        }
    }

    fn ready(&mut self, pool: &WarpPool, now: u64) -> u64 {
        let Some(heap) = &mut self.heap else { return now };
        let goes_on = self.majority.is_some_and(|majority| pool.addresses().iter().any(|&(pc, _)| pc == majority));
        heap.ready(now, !goes_on)
    }

    #[inline(always)]
    fn pick(&mut self, pool: &WarpPool) -> Option<usize> {
        if let Some(heap) = &mut self.heap {
            heap.cycle();
        }
        if let Some(place) = self.majority.and_then(|pc| pool.first_at(pc)) {
            return Some(place);
        }
        self.majority = match &mut self.heap {
            Some(heap) => heap.pop(),
            None => pool.addresses().iter().max_by_key(|&&(pc, threads)| (threads, Reverse(pc))).map(|&(pc, _)| pc),
        };
        self.majority.and_then(|pc| pool.first_at(pc))
    }

    #[inline(always)]
    fn arrived(&mut self, pc: Pc, threads: usize) {
        if let Some(heap) = &mut self.heap
            && self.majority != Some(pc)
        {
            heap.add(pc, threads);
        }
    }

    #[inline]
    fn figures(&self, tell: &mut dyn FnMut(Figure)) {
        if let Some(heap) = &self.heap {
            heap.figures(tell);
        }
    }
}

// Schedules without state.
macro_rules! schedules {
    ($($(#[$doc:meta])* $name:ident $text:literal $stops:ident $counts:literal $fair:literal $ends:expr,
        |$pool:ident| $pick:expr;)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
            pub struct $name;

            impl WarpSchedule for $name {
                const NAME: &'static str = $text;
                const STOPS: Stops = Stops::$stops;
                const COUNTS_POST_DOMINATORS: bool = $counts;
                const FAIR: bool = $fair;
                const ENDS: Option<Ends> = Some($ends);
                const GUARD: Guard = Guard::OFF;

                fn start(_config: &PolicyConfig) -> Self {
                    Self
                }

                #[inline(always)]
                fn pick(&mut self, $pool: &WarpPool) -> Option<usize> {
                    $pick
                }
            }
        )*
    };
}

schedules! {
    /// *DMin*: a warp of the address that fewest threads are at; among such addresses the lowest.
    Minority "Dwf<Minority>" AtTargets false false Ends { program_3: false, lock_behind: false, ..Ends::ALL }, |pool| of_address(pool, |pc, threads| (threads, pc));

    /// *DTime*: the warp that was begun first. A warp that threads join keeps its place.
    TimeStamp "Dwf<TimeStamp>" AtJoins false true Ends::ALL, |pool| (!pool.addresses().is_empty()).then_some(0);

    /// *DPC*: a warp at the lowest address. Of [`StackLess`](crate::StackLess), the split at the lowest address of those that
    /// were called deepest, which is what [`MinPc`](crate::MinPc) does.
    LowestPc "Dwf<LowestPc>" AtTargets false false Ends { program_2_swapped: false, program_3: false, lock_behind: false, ..Ends::ALL }, |pool| of_address(pool, |pc, _| pc);

    /// *DPdPri*: the warp that has passed the fewest post-dominators. A thread passes one when it comes to where the paths of
    /// a branch meet that some thread of the block has executed; a warp has passed what the last of its threads has. Among
    /// such warps the one begun first.
    PdomPriority "Dwf<PdomPriority>" AtJoins true false Ends { program_3: false, lock_behind: false, ..Ends::ALL }, |pool| {
        pool.warps().enumerate().min_by_key(|(_, warp)| warp.passed).map(|(place, _)| place)
    };
}
