//! Dynamic warp formation (TACO'09, section 4): threads of all warps of a core that are at one address issue together.
//!
//! A warp that has issued is taken apart. Its threads go to the warps that are being formed at their next addresses, and a
//! schedule says which warp of the pool issues next. Nothing says where threads meet again: they do if the schedule lets
//! those behind catch up.
//!
//! * `config`: what the hardware has;
//! * `pool`, `addresses`, `table`: the warps that are being formed, and how they are found; `parts`: their threads;
//! * `schedule`, `heap`: which one issues;
//! * `time`: with a clock, what that takes.

mod addresses;
mod config;
mod heap;
mod parts;
mod pool;
mod schedule;
mod table;
mod time;

pub use config::{DwfConfig, DwfHeap, DwfTable, HomeLanes};
pub use pool::{FormedWarp, WarpPool};
pub use schedule::{LowestPc, Majority, Minority, PdomPriority, TimeStamp, WarpSchedule};

use super::{CoreBranch, CorePolicy, CoreSplit, CoreStart, Figure, Policy, PolicyVisitor, WarpPart};
use parts::Parts;
use pool::{PoolTally, Update};
use simt_core::LaneMask;
use simt_core::code::{Markers, Pc};
use time::{Returning, spill_cycles};

/// Warps are formed anew after each branch, from all threads of the block; `S` says which issues next.
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
///   but for those that stopped half-way. One block is on the core at a time.
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
/// let formed = Gpu::<Dwf<Majority>>::default().launch(Grid::new(1, 256), sparse(&mut x))?;
/// // Eight warps of four threads become one of 32.
/// assert!(stack.simd_efficiency() < 0.2);
/// assert!(formed.simd_efficiency() > 0.9);
/// # Ok::<(), LaunchError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Dwf<S> {
    pool: WarpPool,
    schedule: S,
    /// The warp that issues; none if it has no parts.
    current: Update,
    /// Threads that wait.
    parked: Vec<(Pc, WarpPart)>,
    /// With a clock.
    returning: Option<Returning>,
    /// With a clock, cycles that a warp is in memory at least.
    spilled: u64,
    /// For each thread, how many post-dominators it has passed, and which addresses are some.
    passed: Passed,
}

/// Post-dominators that threads have passed.
#[derive(Clone, Debug, Default, PartialEq)]
struct Passed {
    meets: Vec<bool>,
    /// By warp and lane; empty until a branch that has a post-dominator is executed.
    threads: Vec<u32>,
}

impl Passed {
    /// A branch whose paths meet there has been executed.
    #[inline(always)]
    fn learn(&mut self, meet: Option<Pc>) {
        if let Some(meet) = meet {
            if self.meets.len() <= meet.index() {
                self.meets.resize(meet.index() + 1, false);
            }
            self.meets[meet.index()] = true;
        }
    }

    /// Threads come to an address; gives the fewest that one of them has passed.
    #[inline(always)]
    fn at(&mut self, pc: Pc, parts: impl Iterator<Item = WarpPart>) -> u32 {
        let passes = self.meets.get(pc.index()).is_some_and(|&meets| meets);
        if !passes && self.threads.is_empty() {
            return 0;
        }
        let mut fewest = u32::MAX;
        for part in parts {
            let first = 64 * part.warp;
            if self.threads.len() < first + 64 {
                self.threads.resize(first + 64, 0);
            }
            let threads = &mut self.threads[first..first + 64];
            for lane in part.lanes.lanes() {
                threads[lane] = threads[lane].saturating_add(u32::from(passes));
                fewest = fewest.min(threads[lane]);
            }
        }
        fewest
    }
}

impl<S: WarpSchedule> Dwf<S> {
    /// Threads go to the warps of an address: the parts that have lanes.
    #[inline(always)]
    fn send(&mut self, pc: Pc, parts: impl Iterator<Item = WarpPart> + Clone) {
        let passed = if S::COUNTS_POST_DOMINATORS { self.passed.at(pc, parts.clone()) } else { 0 };
        match &mut self.returning {
            Some(returning) => {
                let mut update = Update { pc, parts: self.pool.spares.take(), passed };
                parts.for_each(|part| update.parts.add(part));
                returning.updates.push(update);
            }
            None => self.arrive(pc, passed, parts),
        }
    }

    #[inline(always)]
    fn arrive(&mut self, pc: Pc, passed: u32, parts: impl Iterator<Item = WarpPart>) {
        let came = self.pool.arrive(pc, passed, parts);
        self.schedule.arrived(pc, came);
    }

    fn take(&mut self) -> Parts {
        std::mem::take(&mut self.current.parts)
    }

    /// The next warp issues, in place of the one that has, whose parts come back. With a clock, it is chosen when it does.
    #[inline(always)]
    fn next(&mut self, issued: Parts) {
        self.current.parts = issued;
        self.current.clear();
        if self.returning.is_none() {
            self.pick();
        }
    }

    #[inline]
    fn pick(&mut self) {
        let now = self.returning.as_ref().map_or(0, |returning| returning.now);
        self.fill(now);
        let conflicts = self.pool.tally.0.conflicts;
        if let Some(place) = self.schedule.pick(&self.pool) {
            self.pool.issue(place, &mut self.current);
        }
        let conflicts = self.pool.tally.0.conflicts - conflicts;
        if let (Some(returning), 1..) = (&mut self.returning, conflicts) {
            returning.registers = now.saturating_add((1 + conflicts).saturating_mul(returning.issue));
        }
    }

    /// Warps come back from memory, if there is room.
    fn fill(&mut self, now: u64) {
        while let Some((pc, threads)) = self.pool.fill(now) {
            self.schedule.arrived(pc, threads);
        }
    }

    /// With a clock: threads that have left the pipeline come to the pool. If some could not, gives when they can.
    fn come(&mut self, free: &[LaneMask]) -> Option<u64> {
        let Returning { now, issue, mut updates, mut ports, registers } = self.returning.take()?;
        let rules = self.pool.rules();
        let mut later = None;
        updates.retain_mut(|Update { pc, parts, passed }| {
            if !parts.iter().all(|part| part.is_of(free)) {
                return true;
            }
            if let Some(ports) = &mut ports {
                let lanes = parts.iter().fold(LaneMask::EMPTY, |all, &part| all | rules.positions(part));
                if !ports.take(now, issue, lanes) {
                    later = Some(ports.free(issue));
                    return true;
                }
            }
            self.arrive(*pc, *passed, parts.iter().copied());
            self.pool.spares.give(std::mem::take(parts));
            false
        });
        self.returning = Some(Returning { now, issue, updates, ports, registers });
        later
    }
}

impl<S: WarpSchedule> CorePolicy for Dwf<S> {
    const NAME: &'static str = S::NAME;
    const MARKERS: Markers = Markers::None;
    const FAIR: bool = S::FAIR;

    fn start(start: CoreStart<'_>) -> Self {
        let mut dwf = Self {
            pool: WarpPool::new(&start.config.dwf, start.config.warp_width),
            schedule: S::start(start.config),
            current: Update::none(),
            parked: Vec::new(),
            returning: Returning::new(start.config),
            spilled: spill_cycles(start.config),
            passed: Passed::default(),
        };
        for (warp, &lanes) in start.warps.iter().enumerate().filter(|(_, lanes)| !lanes.is_empty()) {
            dwf.send(start.pc, std::iter::once(WarpPart { warp, lanes }));
        }
        dwf.next(Parts::default());
        dwf
    }

    #[inline(always)]
    fn current(&self) -> Option<CoreSplit<'_>> {
        (!self.current.parts.is_empty()).then_some(CoreSplit { pc: self.current.pc, parts: &self.current.parts })
    }

    fn ready(&mut self, free: &[LaneMask], now: u64) -> u64 {
        let Some(returning) = &mut self.returning else { return now };
        returning.now = now;
        let registers = returning.registers;
        self.pool.spills_until(now.saturating_add(self.spilled));
        let later = self.come(free);
        // What was chosen and could not issue stays chosen.
        if !self.current.parts.is_empty() {
            return now;
        }
        self.fill(now);
        let ready = if self.pool.addresses().is_empty() {
            later.into_iter().chain(self.pool.fills()).min().unwrap_or(now)
        } else {
            self.schedule.ready(&self.pool, now)
        };
        ready.max(registers)
    }

    fn select(&mut self, free: &[LaneMask]) -> bool {
        self.come(free);
        // What was chosen and could not issue stays chosen.
        if self.current.parts.is_empty() {
            self.pick();
        }
        !self.current.parts.is_empty()
    }

    #[inline(always)]
    fn advance(&mut self, next: Pc) {
        let parts = self.take();
        self.send(next, parts.iter().copied());
        self.next(parts);
    }

    #[inline(always)]
    fn branch(&mut self, branch: CoreBranch<'_>) {
        if S::COUNTS_POST_DOMINATORS {
            self.passed.learn(branch.meet);
        }
        let parts = self.take();
        let (some_take, some_do_not) = branch.both(&parts);
        let split = |part: &WarpPart, lanes| WarpPart { lanes, ..*part };
        if some_take {
            self.send(branch.target, parts.iter().zip(branch.taken).map(|(part, &taken)| split(part, taken)));
        }
        if some_do_not {
            let rest = parts.iter().zip(branch.taken).map(|(part, &taken)| split(part, part.lanes - taken));
            self.send(branch.next, rest);
        }
        self.next(parts);
    }

    fn exit(&mut self) {
        let parts = self.take();
        self.next(parts);
    }

    fn park(&mut self) {
        let pc = self.current.pc;
        let parts = self.take();
        self.parked.extend(parts.iter().map(|&part| (pc, part)));
        self.next(parts);
    }

    fn wake(&mut self, part: WarpPart, next: Pc) {
        // A warp of nobody would be chosen, and nobody be current.
        if part.lanes.is_empty() {
            return;
        }
        for (_, waiting) in &mut self.parked {
            if waiting.warp == part.warp {
                waiting.lanes = waiting.lanes - part.lanes;
            }
        }
        self.parked.retain(|(_, waiting)| !waiting.lanes.is_empty());
        self.send(next, std::iter::once(part));
        if self.current.parts.is_empty() {
            let parts = self.take();
            self.next(parts);
        }
    }

    #[inline(always)]
    fn positions(&self, part: WarpPart) -> LaneMask {
        self.pool.rules().positions(part)
    }

    fn splits(&self) -> Vec<(Pc, WarpPart)> {
        let returning = self.returning.iter().flat_map(|returning| &returning.updates);
        let updates = std::iter::once(&self.current).chain(self.pool.updates()).chain(returning);
        let merged = |update: &Update| {
            let (pc, mut parts) = (update.pc, update.parts.clone());
            parts.merge(&mut Vec::new());
            parts.iter().map(|&part| (pc, part)).collect::<Vec<_>>()
        };
        updates.flat_map(merged).chain(self.parked.iter().copied()).collect()
    }

    #[inline]
    fn figures(&self, tell: &mut dyn FnMut(Figure)) {
        let PoolTally { warps, addresses, spills, evictions, refused, conflicts } = self.pool.tally.0;
        tell(Figure::highest("warp pool entries, most", warps as u64));
        tell(Figure::highest("addresses in the pool, most", addresses as u64));
        tell(Figure::sum("warp pool spills", spills));
        tell(Figure::sum("PC-warp table evictions", evictions));
        tell(Figure::sum("threads that found their lane taken", refused));
        tell(Figure::sum("issue slots lost to lane conflicts", conflicts));
        self.schedule.figures(tell);
    }
}

impl<S: WarpSchedule> Policy for Dwf<S> {
    fn visit<V: PolicyVisitor>(visitor: V) -> V::Output {
        visitor.core::<Self>()
    }
}

#[cfg(test)]
mod tests;
