//! A block on a core: what of it can issue, and what happens when it does.

use crate::engine::Resident;
use crate::engine::Setup;
use crate::engine::Spent;
use crate::engine::{self, CoreTurn, Turn, WarpStop};
use crate::engine::{Barriers, ResidentWarp};
use crate::engine::{Launch, Start};
use crate::error::{LaunchError, LivelockProof};
use crate::gpu::diagnose::CyclingWarp;
use crate::hierarchy::Cycle;
use crate::lanes::Registers;
use crate::memory::Memory;
use crate::observe::{Observer, WarpId};
use crate::policy::{BlockPolicy, BlockStart, ByWarp, WarpPart, WarpPolicy, WarpSplit};
use simt_core::LaneMask;
use simt_core::code::Pc;

/// What an instruction changed besides registers and memory.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Step {
    /// Barriers have opened: what waited goes on.
    pub(crate) opened: bool,
    /// Threads have ended, or wait.
    pub(crate) fewer: bool,
    /// Threads have ended.
    pub(crate) ended: bool,
}

/// A block that is on a core. What can issue of it are its *units*: its warps, or, if its threads are regrouped, the block as
/// a whole.
pub(crate) trait Body {
    /// Of a warp, which lanes issue: see [`ByWarp`](crate::policy::ByWarp) if the threads are regrouped.
    type Policy: WarpPolicy;

    /// Whether threads of several warps issue together.
    const REGROUPS: bool;

    /// The warps of the program.
    fn warps(&self) -> &[ResidentWarp<Self::Policy>];

    /// The warps of the program, to be changed.
    fn warps_mut(&mut self) -> &mut [ResidentWarp<Self::Policy>];

    /// The registers of a warp.
    fn registers(&mut self, warp: usize) -> &mut Registers {
        &mut self.warps_mut()[warp].registers
    }

    /// The lanes of a warp that have not ended.
    fn live(&self, warp: usize) -> LaneMask {
        self.warps()[warp].state.live
    }

    /// Where the lanes of a warp are, those that issue first.
    fn splits(&self, warp: usize) -> Vec<WarpSplit>;

    /// Whether a warp waits at a barrier.
    fn waits(&self, warp: usize) -> bool {
        self.warps()[warp].state.waits_at().is_some()
    }

    /// How many units there are, of a block of so many warps.
    fn units(warps: usize) -> usize {
        if Self::REGROUPS { 1 } else { warps }
    }

    /// When a unit can choose what to issue, of the lanes that are free, by warp: now, or later.
    fn ready(&mut self, _free: &[LaneMask], now: Cycle) -> Cycle {
        now
    }

    /// Chooses what of a unit issues, of the lanes that are free, by warp. Returns the address.
    fn select(&mut self, unit: usize, free: &[LaneMask]) -> Option<Pc>;

    /// The error for a unit whose policy has broken a check or a law: none of it issues any more.
    fn broken(&mut self, unit: usize, launch: &Launch<'_>, memory: &mut Memory<'_>) -> Option<LaunchError>;

    /// Of a warp that issues as a whole, the address of its next instruction, unless it waits or that is no instruction.
    fn next(&self, _unit: usize) -> Option<Pc> {
        None
    }

    /// Puts those that were chosen in place of others.
    fn parts(&self, unit: usize, parts: &mut Vec<WarpPart>);

    /// Executes the next instruction of those that were chosen.
    fn step<O: Observer>(
        &mut self,
        unit: usize,
        launch: &Launch<'_>,
        memory: &mut Memory<'_>,
        observer: &mut O,
    ) -> Result<Step, LaunchError>;

    /// Of a warp, those of `late` wait longer for what they have loaded than others: returns whether the policy has divided a
    /// split of it.
    fn divide(&mut self, _unit: usize, _late: LaneMask) -> bool {
        false
    }

    /// Nothing can issue, and nothing that is under way will change that: lets go on what the policy itself holds back.
    fn release(&mut self) -> bool {
        false
    }

    /// Nothing can issue and nothing is under way: lets some threads go on, or says why none can.
    fn stuck<O: Observer>(
        &mut self,
        launch: &Launch<'_>,
        memory: &mut Memory<'_>,
        observer: &mut O,
    ) -> Result<(), LaunchError>;

    /// The error for a block that never ends, whichever of its warps issues when, if that can be shown within some effort.
    /// `overlaps` says whether a policy may choose among splits of a warp by time.
    fn livelock(
        &mut self,
        _overlaps: bool,
        _effort: u64,
        _launch: &Launch<'_>,
        _memory: &mut Memory<'_>,
    ) -> Option<LaunchError> {
        None
    }

    /// The error for a launch that has spent what it may.
    fn given_up<O: Observer>(
        &mut self,
        spent: Spent,
        launch: &Launch<'_>,
        memory: &mut Memory<'_>,
        observer: &mut O,
    ) -> LaunchError;

    /// What its policies have counted, and its registers.
    fn end<O: Observer>(self, observer: &mut O) -> Vec<Registers>;
}

/// Puts a block on a core.
pub(crate) trait Place {
    type Body: Body;
    fn start(&self, launch: &Launch<'_>, setup: &Setup<'_>, block: usize, rows: Vec<Registers>) -> Self::Body;
}

/// A block whose warps keep their threads.
pub(crate) struct WarpBody<P> {
    block: usize,
    warps: Vec<ResidentWarp<P>>,
    barriers: Barriers,
}

/// Starts policies of warps.
pub(crate) struct ByWarps<F, P>(pub(crate) F, pub(crate) std::marker::PhantomData<fn() -> P>);

impl<P: WarpPolicy, F: Start<P>> Place for ByWarps<F, P> {
    type Body = WarpBody<P>;

    fn start(&self, launch: &Launch<'_>, setup: &Setup<'_>, block: usize, rows: Vec<Registers>) -> WarpBody<P> {
        let warps = launch.resident_warps(&self.0, setup, block, rows);
        WarpBody { block, warps, barriers: Barriers::new(launch.config.warp_width) }
    }
}

impl<P: WarpPolicy> WarpBody<P> {
    fn open(&mut self, launch: &Launch<'_>) -> bool {
        self.barriers.open(launch.plan, &mut self.warps, |_, state| state.open_barrier())
    }
}

impl<P: WarpPolicy> Body for WarpBody<P> {
    type Policy = P;
    const REGROUPS: bool = false;

    fn warps(&self) -> &[ResidentWarp<P>] {
        &self.warps
    }

    fn warps_mut(&mut self) -> &mut [ResidentWarp<P>] {
        &mut self.warps
    }

    fn splits(&self, warp: usize) -> Vec<WarpSplit> {
        self.warps[warp].state.splits()
    }

    fn select(&mut self, unit: usize, free: &[LaneMask]) -> Option<Pc> {
        let state = &mut self.warps[unit].state;
        if state.live.is_empty() || state.waits_at().is_some() {
            return None;
        }
        state.select(free[unit]).map(|split| split.pc)
    }

    fn broken(&mut self, unit: usize, launch: &Launch<'_>, memory: &mut Memory<'_>) -> Option<LaunchError> {
        let ResidentWarp { registers, state } = &mut self.warps[unit];
        let stop = WarpStop::Check(Box::new(state.broken()?.clone()));
        Some(launch.error(stop, WarpId { block: self.block, warp: unit }, state, registers, memory))
    }

    fn divide(&mut self, unit: usize, late: LaneMask) -> bool {
        self.warps[unit].state.divide(late)
    }

    fn next(&self, unit: usize) -> Option<Pc> {
        let state = &self.warps[unit].state;
        if state.waits_at().is_some() { None } else { state.current().map(|split| split.pc) }
    }

    fn parts(&self, unit: usize, parts: &mut Vec<WarpPart>) {
        parts.clear();
        let split = self.warps[unit].state.current();
        parts.extend(split.map(|split| WarpPart { warp: unit, lanes: split.mask }));
    }

    fn step<O: Observer>(
        &mut self,
        unit: usize,
        launch: &Launch<'_>,
        memory: &mut Memory<'_>,
        observer: &mut O,
    ) -> Result<Step, LaunchError> {
        let place = WarpId { block: self.block, warp: unit };
        let ResidentWarp { registers, state } = &mut self.warps[unit];
        let live = state.live;
        memory.select_warp(unit);
        observer.warp(place);
        let arrived = match engine::run::<P, O>(launch.warp(registers, memory, 0), state, observer) {
            Ok(Turn::Arrived(arrival)) => Some(arrival),
            Ok(Turn::Ended | Turn::Paused) => None,
            Err(stop) => return Err(launch.error(stop, place, state, registers, memory)),
        };
        let (fewer, ended) = (arrived.is_some() || state.live.is_empty(), state.live != live);
        if let Some(arrival) = arrived
            && let Err(problem) = self.barriers.arrive(launch.plan, unit, arrival, memory)
        {
            return Err(launch.misused_barrier(problem, place, arrival, &self.warps[unit].state));
        }
        Ok(Step { opened: fewer && self.open(launch), fewer, ended })
    }

    fn livelock(
        &mut self,
        overlaps: bool,
        effort: u64,
        launch: &Launch<'_>,
        memory: &mut Memory<'_>,
    ) -> Option<LaunchError> {
        // Where the policy chooses by time, only warps that have no choice go on as they do without a clock.
        if overlaps && self.warps.iter().any(|warp| warp.state.splits().len() > 1) {
            return None;
        }
        let circles = launch.circles(&self.warps, &self.barriers, effort, memory).ok()?;
        let mut warps: Vec<_> = self.warps.iter_mut().enumerate().map(CyclingWarp::of).collect();
        Some(launch.livelock(self.block, &mut warps, &circles, LivelockProof::EverySchedule, memory))
    }

    fn given_up<O: Observer>(
        &mut self,
        spent: Spent,
        launch: &Launch<'_>,
        memory: &mut Memory<'_>,
        observer: &mut O,
    ) -> LaunchError {
        let mut warps: Vec<_> = self.warps.iter_mut().enumerate().map(CyclingWarp::of).collect();
        launch.given_up(spent, self.block, &mut warps, memory, observer)
    }

    fn stuck<O: Observer>(
        &mut self,
        launch: &Launch<'_>,
        _memory: &mut Memory<'_>,
        _observer: &mut O,
    ) -> Result<(), LaunchError> {
        if self.open(launch) {
            return Ok(());
        }
        Err(launch.deadlocked_block(self.block, &mut self.warps, &self.barriers))
    }

    fn end<O: Observer>(self, observer: &mut O) -> Vec<Registers> {
        self.warps.iter().for_each(|warp| warp.state.ended(observer));
        self.warps.into_iter().map(|warp| warp.registers).collect()
    }
}

/// Starts policies of cores.
pub(crate) struct ByBlocks<F, C>(pub(crate) F, pub(crate) std::marker::PhantomData<fn() -> C>);

impl<C: BlockPolicy, F: Fn(BlockStart<'_>) -> C> Place for ByBlocks<F, C> {
    type Body = Resident<C>;

    fn start(&self, launch: &Launch<'_>, setup: &Setup<'_>, block: usize, rows: Vec<Registers>) -> Resident<C> {
        launch.resident(&self.0, setup, block, rows)
    }
}

impl<C: BlockPolicy> Body for Resident<C> {
    type Policy = ByWarp<C>;
    const REGROUPS: bool = true;

    fn warps(&self) -> &[ResidentWarp<ByWarp<C>>] {
        &self.warps
    }

    fn warps_mut(&mut self) -> &mut [ResidentWarp<ByWarp<C>>] {
        &mut self.warps
    }

    fn splits(&self, warp: usize) -> Vec<WarpSplit> {
        ByWarp::of(&self.policy, warp).splits()
    }

    fn ready(&mut self, free: &[LaneMask], now: Cycle) -> Cycle {
        C::TIMING.ready_at(&mut self.policy, free, now)
    }

    fn select(&mut self, _unit: usize, free: &[LaneMask]) -> Option<Pc> {
        if !C::TIMING.selects(&mut self.policy, free) {
            return None;
        }
        self.policy.current().map(|split| split.pc)
    }

    fn broken(&mut self, _unit: usize, launch: &Launch<'_>, memory: &mut Memory<'_>) -> Option<LaunchError> {
        launch.broken_block(self, memory)
    }

    fn parts(&self, _unit: usize, parts: &mut Vec<WarpPart>) {
        parts.clear();
        parts.extend(self.policy.current().into_iter().flat_map(|split| split.threads.parts()));
    }

    fn step<O: Observer>(
        &mut self,
        _unit: usize,
        launch: &Launch<'_>,
        memory: &mut Memory<'_>,
        observer: &mut O,
    ) -> Result<Step, LaunchError> {
        let (waited, live, threads) = (self.waiting(), self.live_warps(), self.live_threads());
        launch.turn_of_block(self, 0, memory, observer)?;
        if let Some(error) = launch.broken_block(self, memory) {
            return Err(error);
        }
        // Those that wait do not wait for warps that have ended.
        if waited > 0 && self.live_warps() < live {
            self.open_barriers(launch);
        }
        let waits = self.waiting();
        let ended = self.live_threads() < threads;
        Ok(Step { opened: waits < waited, fewer: waits > waited, ended })
    }

    fn given_up<O: Observer>(
        &mut self,
        spent: Spent,
        launch: &Launch<'_>,
        memory: &mut Memory<'_>,
        observer: &mut O,
    ) -> LaunchError {
        launch.given_up_block(self, spent, memory, observer)
    }

    fn release(&mut self) -> bool {
        self.policy.release() && self.policy.current().is_some()
    }

    fn stuck<O: Observer>(
        &mut self,
        launch: &Launch<'_>,
        memory: &mut Memory<'_>,
        observer: &mut O,
    ) -> Result<(), LaunchError> {
        // Warps that wait for threads which have ended meanwhile go on.
        match launch.turn_of_block(self, 0, memory, observer)? {
            CoreTurn::Stuck => Err(launch.stuck_block(self)),
            CoreTurn::Ended | CoreTurn::Arrived | CoreTurn::Paused => Ok(()),
        }
    }

    fn end<O: Observer>(self, observer: &mut O) -> Vec<Registers> {
        self.policy.figures(&mut |figure| observer.counted(figure));
        self.warps.into_iter().map(|warp| warp.registers).collect()
    }
}
