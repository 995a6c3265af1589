//! Dynamic warp formation (TACO'09, section 4): threads of all warps of a core that are at one address issue together.
//!
//! A warp that has issued is taken apart. Its threads go to the warps that are being formed at their next addresses, and a
//! schedule says which warp of the pool issues next. No instruction says where threads meet again: they do if the schedule
//! lets the threads behind catch up.
//!
//! * `config`: what the hardware has;
//! * `pool`, `slot`, `addresses`, `table`: the warps that are being formed, which threads fit, and how they are found;
//! * `schedule`, `heap`: which one issues; `passed`: the post-dominators, which one of the schedules goes by;
//! * `time`: with a clock, the time that all this takes.

mod addresses;
mod config;
mod heap;
mod passed;
mod pool;
mod schedule;
mod slot;
mod table;
mod time;

pub use config::{DwfConfig, DwfHeap, DwfTable, HomeLanes};
pub use pool::{FormedWarp, WarpPool};
pub use schedule::{LowestPc, Majority, Minority, PdomPriority, TimeStamp, WarpSchedule};

use super::{
    BlockBranch, BlockChecking, BlockPolicy, BlockSplit, BlockStart, BlockTiming, Ends, Figure, Policy, PolicyVisitor,
    Stops, ThreadMask, WarpPart,
};
use passed::Passed;
use pool::{Coming, Fewest, PoolTally, Update};
use simt_core::LaneMask;
use simt_core::code::{Markers, Pc};
use time::Returning;

/// Warps are formed anew after each branch, from all threads of the block; `S` says which issues next, by default one of those
/// at the address of the most threads: [`Majority`].
///
/// * **Mechanism.** A thread keeps its registers and, by default, the SIMD lane they are in: a warp has at most one thread
///   of each home lane. Threads meet where they happen to be at one address at one time.
/// * **Source.** W. W. L. Fung, I. Sham, G. Yuan and T. M. Aamodt, *Dynamic Warp Formation*, TACO 2009, section 4. The
///   schedules are those of its section 4.3: [`Majority`], [`Minority`], [`TimeStamp`], [`LowestPc`], [`PdomPriority`].
/// * **State.** A pool of warps, each an address and a thread number for each lane; a table from addresses to warps. With
///   the sizes of the paper ([`DwfConfig::fung2009`]) 1.6 mm² per core at 90 nm (Table V); a decoder for each register bank
///   comes on top.
/// * **Options.** [`DwfConfig`]: home lanes, swizzling, the sizes of table, pool and heap. What has a size takes time, with a
///   clock.
/// * **Fairness.** By schedule. [`TimeStamp`] is fair: every warp comes to the front. The others are not: threads that spin
///   at the majority's address, at the lowest, or before the post-dominator keep others from running; with [`Minority`],
///   few that spin.
/// * **Use it** for kernels whose threads diverge in the same way in many warps. It does nothing for a single warp.
/// * **What it cannot do.** It does not keep the threads of a program's warp together. Votes, shuffles and `sync_warp()` mean
///   the program's warp and wait for it; code that relies on its warp running in step without saying so, for instance by
///   reading what a neighbour has just stored, is a data race here as it is on hardware. Figures of reports then differ, and
///   results may. [`RaceCheck`](crate::RaceCheck) finds such code.
/// * **Here** warps are formed at branches and joins, not after every instruction: between them threads cannot meet others,
///   but for those that stopped half-way. With schedules that compare addresses, a join is whatever a jump leads to; with
///   [`TimeStamp`] and [`PdomPriority`] it is where paths of a branch may meet ([`Stops`]). One block is on the core at a
///   time.
///
/// ```
/// use simt::prelude::*;
///
/// /// In each warp one of eight threads has work to do.
/// #[kernel]
/// fn sparse(x: &mut [u32]) {
///     let i = global_id();
///     if lane_id() / 4 == warp_id() {
///         for k in 0..100 {
///             x[i] = x[i] * 3 + k;
///         }
///     }
/// }
///
/// let mut x = [1; 256];
/// let stack = Gpu::<Ipdom>::default().launch(Grid::new(1, 256), sparse(&mut x))?;
/// let formed = Gpu::<Dwf>::default().launch(Grid::new(1, 256), sparse(&mut x))?;
/// // Eight warps of four threads become one of 32.
/// assert!(stack.simd_efficiency() < 0.2);
/// assert!(formed.simd_efficiency() > 0.9);
/// # Ok::<(), LaunchError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Dwf<S = Majority> {
    forming: Forming<S>,
    /// The warp that issues; the empty set if there is none.
    current: Update,
    /// Whether `current` has threads.
    issues: bool,
    /// The threads of a warp at a branch that have not taken it; otherwise the empty set.
    rest: ThreadMask,
    /// Threads that wait.
    parked: Vec<(Pc, WarpPart)>,
    /// With a clock, the cycles that a warp is in memory at least.
    spilled: u64,
}

/// The address where threads go that have issued.
#[derive(Clone, Debug, PartialEq)]
struct Forming<S> {
    pool: WarpPool,
    schedule: S,
    /// The timing of the mechanism, with a clock.
    returning: Option<Returning>,
    passed: Passed,
}

impl<S: WarpSchedule> Forming<S> {
    /// Threads, of these SIMD lanes, go to the warps of an address; `before` are the post-dominators that they have passed, if that
    /// is known.
    #[inline(always)]
    fn send(&mut self, pc: Pc, threads: &ThreadMask, lanes: LaneMask, before: Option<Fewest>) {
        let passed = match S::COUNTS_POST_DOMINATORS {
            true => self.passed.at(pc, threads, before),
            false => Fewest { passed: 0, is_exact: true },
        };
        // What means nothing makes no state another one.
        let lanes = if self.pool.rules().lanes == HomeLanes::Aware { lanes } else { LaneMask::EMPTY };
        let coming = Coming { pc, threads, lanes, passed };
        match &mut self.returning {
            Some(returning) => returning.sends(coming.update()),
            None => self.arrive(coming),
        }
    }

    #[inline(always)]
    fn arrive(&mut self, coming: Coming<'_>) {
        let came = self.pool.arrive(coming);
        self.schedule.arrived(coming.pc, came);
    }

    /// Brings warps back from memory, if there is room.
    #[inline(always)]
    fn fill(&mut self, now: u64) {
        while let Some((pc, threads)) = self.pool.fill(now) {
            self.schedule.arrived(pc, threads);
        }
    }

    /// With a clock: threads that have left the pipeline come to the pool. If some could not, returns when they can.
    fn come(&mut self, free: &[LaneMask]) -> Option<u64> {
        let Returning { now, issue, mut updates, mut ports, registers, .. } = self.returning.take()?;
        let rules = self.pool.rules();
        let mut later = None;
        updates.retain_mut(|(missing, Update { pc, threads, lanes, passed })| {
            if !missing.is_of(free) {
                return true;
            }
            if let Some(part) = threads.parts().find(|part| !part.is_of(free)) {
                *missing = part;
                return true;
            }
            if let Some(ports) = &mut ports
                && !ports.take(now, issue, rules.positions(threads))
            {
                later = Some(ports.free(issue));
                return true;
            }
            self.arrive(Coming { pc: *pc, threads, lanes: *lanes, passed: *passed });
            false
        });
        self.returning = Some(Returning { now, issue, updates, came: true, ports, registers });
        later
    }
}

impl<S: WarpSchedule> Dwf<S> {
    /// Threads of one warp of the program go to the warps of an address.
    fn send_part(&mut self, pc: Pc, part: WarpPart) {
        let mut threads = self.rest.without_threads();
        threads.insert(part);
        let lanes = self.positions(&threads);
        self.forming.send(pc, &threads, lanes, None);
    }

    /// The next warp issues, in place of the one that has. With a clock, it is chosen when it does.
    #[inline(always)]
    fn next(&mut self) {
        if self.forming.returning.is_none() {
            self.forming.fill(0);
            self.pick();
        } else {
            self.issues = false;
            self.current.clear();
        }
    }

    /// Chooses the warp that issues, in place of the one that has.
    fn pick(&mut self) {
        let Forming { pool, schedule, returning, .. } = &mut self.forming;
        let now = returning.as_ref().map_or(0, |returning| returning.now);
        let conflicts = pool.tally.0.conflicts;
        self.issues = schedule.pick(pool).is_some_and(|place| pool.issue(place, &mut self.current));
        if !self.issues {
            self.current.clear();
        }
        let conflicts = pool.tally.0.conflicts - conflicts;
        if let (Some(returning), 1..) = (returning, conflicts) {
            returning.registers = now.saturating_add((1 + conflicts).saturating_mul(returning.issue));
        }
    }

    fn ready(&mut self, free: &[LaneMask], now: u64) -> u64 {
        let Some(returning) = &mut self.forming.returning else { return now };
        returning.now = now;
        let registers = returning.registers;
        self.forming.pool.spills_until(now.saturating_add(self.spilled));
        let later = self.forming.come(free);
        // What was chosen and could not issue stays chosen.
        if self.issues {
            return now;
        }
        self.forming.fill(now);
        let ready = if self.forming.pool.addresses().is_empty() {
            later.into_iter().chain(self.forming.pool.fills()).min().unwrap_or(now)
        } else {
            self.forming.schedule.ready(&self.forming.pool, now)
        };
        ready.max(registers)
    }

    fn select(&mut self, free: &[LaneMask]) -> bool {
        // PERF: most often they came when the mechanism was asked whether it is ready.
        if !self.forming.returning.as_ref().is_some_and(|returning| returning.came) {
            self.forming.come(free);
        }
        self.forming.returning.iter_mut().for_each(|returning| returning.came = false);
        // What was chosen and could not issue stays chosen.
        if !self.issues {
            let now = self.forming.returning.as_ref().map_or(0, |returning| returning.now);
            self.forming.fill(now);
            self.pick();
        }
        self.issues
    }
}

impl<S: WarpSchedule> BlockPolicy for Dwf<S> {
    const NAME: &'static str = S::NAME;
    const MARKERS: Markers = Markers::None;
    const STOPS: Stops = S::STOPS;
    const FAIR: bool = S::FAIR;
    const ENDS: Option<Ends> = S::ENDS;
    const TIMING: BlockTiming<Self> = BlockTiming { ready: Some(Self::ready), select: Some(Self::select) };
    const CHECKING: BlockChecking<Self> = BlockChecking::by(S::GUARD).with_listed_parameters();

    fn start(start: BlockStart<'_>) -> Self {
        let mut dwf = Self {
            forming: Forming {
                pool: WarpPool::new(&start.config.dwf, start.no_threads()),
                schedule: S::start(start.config),
                returning: Returning::new(start.config),
                passed: Passed::default(),
            },
            current: Update::none(start.no_threads()),
            issues: false,
            rest: start.no_threads(),
            parked: Vec::new(),
            spilled: start.config.timing.map_or(0, |timing| timing.spill_cycles),
        };
        start.parts().for_each(|part| dwf.send_part(start.pc, part));
        dwf.next();
        dwf
    }

    #[inline(always)]
    fn current(&self) -> Option<BlockSplit<'_>> {
        self.issues.then_some(BlockSplit { pc: self.current.pc, threads: &self.current.threads })
    }

    #[inline(always)]
    fn advance(&mut self, next: Pc) {
        let Update { threads, lanes, passed, .. } = &self.current;
        self.forming.send(next, threads, *lanes, Some(*passed));
        self.next();
    }

    #[inline(always)]
    fn branch(&mut self, branch: BlockBranch<'_>) {
        if S::COUNTS_POST_DOMINATORS {
            self.forming.passed.learn(branch.meet);
        }
        self.rest.set_to_difference(&self.current.threads, branch.taken);
        let rules = self.forming.pool.rules();
        let taken = rules.positions(branch.taken);
        let rest = rules.left(self.current.lanes, taken, &self.rest);
        let before = (taken.is_empty() || rest.is_empty()).then_some(self.current.passed);
        if !taken.is_empty() {
            self.forming.send(branch.target, branch.taken, taken, before);
        }
        if !rest.is_empty() {
            self.forming.send(branch.next, &self.rest, rest, before);
            self.rest.clear();
        }
        self.next();
    }

    fn exit(&mut self) {
        self.next();
    }

    fn park(&mut self) {
        let Update { pc, threads, .. } = &self.current;
        self.parked.extend(threads.parts().map(|part| (*pc, part)));
        self.next();
    }

    fn wake(&mut self, part: WarpPart, next: Pc) {
        // An empty warp would be chosen, and no thread would be current.
        if part.lanes.is_empty() {
            return;
        }
        for (_, waiting) in &mut self.parked {
            if waiting.warp == part.warp {
                waiting.lanes = waiting.lanes - part.lanes;
            }
        }
        self.parked.retain(|(_, waiting)| !waiting.lanes.is_empty());
        self.send_part(next, part);
        if !self.issues {
            self.next();
        }
    }

    #[inline(always)]
    fn positions(&self, threads: &ThreadMask) -> LaneMask {
        self.forming.pool.rules().positions(threads)
    }

    fn splits(&self) -> Vec<(Pc, WarpPart)> {
        let returning =
            self.forming.returning.iter().flat_map(|returning| &returning.updates).map(|(_, update)| update);
        let updates = std::iter::once(&self.current).chain(self.forming.pool.updates()).chain(returning);
        let mut splits = Vec::new();
        for Update { pc, threads, .. } in updates {
            splits.extend(threads.parts().map(|part| (*pc, part)));
        }
        splits.extend(&self.parked);
        splits
    }

    #[inline]
    fn figures(&self, tell: &mut dyn FnMut(Figure)) {
        let PoolTally { warps, addresses, spills, evictions, refused, conflicts } = self.forming.pool.tally.0;
        tell(Figure::highest("warp pool entries, most", warps as u64));
        tell(Figure::highest("addresses in the pool, most", addresses as u64));
        tell(Figure::sum("warp pool spills", spills));
        tell(Figure::sum("PC-warp table evictions", evictions));
        tell(Figure::sum("threads that found their lane taken", refused));
        tell(Figure::sum("issue slots lost to lane conflicts", conflicts));
        self.forming.schedule.figures(tell);
    }
}

impl<S: WarpSchedule> Policy for Dwf<S> {
    fn visit<V: PolicyVisitor>(visitor: V) -> V::Output {
        visitor.block::<Self>()
    }
}

#[cfg(test)]
mod tests;
