//! A launch under a policy that regroups the threads of a block.

use crate::config::GpuConfig;
use crate::engine::Distance;
use crate::engine::Launch;
use crate::engine::Setup;
use crate::engine::{self, Ahead, Arrival, CallLimits, Core, CoreTurn, State, WarpStop};
use crate::engine::{Barriers, ResidentWarp, threads_of};
use crate::engine::{Image, KeptBlock};
use crate::engine::{Next, Spent, Watch};
use crate::error::{LaunchError, LivelockProof};
use crate::gpu::diagnose::{Circle, CyclingWarp, WINDOW};
use crate::lanes::Registers;
use crate::memory::Memory;
use crate::observe::{Observer, WarpId};
use crate::policy::{BlockPolicy, BlockStart, ByWarp, WarpPart};
use simt_core::LaneMask;
use simt_core::code::Pc;
use simt_core::program::BarrierOp;

/// Longest turn: its instructions may be atomics, which are more work than it is known to be before.
const TURN: u64 = 1 << 14;

/// A block that runs.
pub(crate) struct Resident<C> {
    block: usize,
    pub(crate) policy: C,
    pub(crate) warps: Vec<ResidentWarp<ByWarp<C>>>,
    barriers: Barriers,
    /// Warps that have just arrived at barriers.
    arrivals: Vec<(usize, Arrival)>,
    ahead: Ahead,
    steps: u64,
}

impl<C: BlockPolicy> Resident<C> {
    /// Puts the policy's view of each warp where errors and comparisons look for it.
    fn show(&mut self) {
        for (number, warp) in self.warps.iter_mut().enumerate() {
            warp.state.show(ByWarp::of(&self.policy, number));
        }
    }

    /// How many warps wait at barriers.
    pub(crate) fn waiting(&self) -> usize {
        self.warps.iter().filter(|warp| warp.state.waits_at().is_some()).count()
    }

    /// How many warps have not ended.
    pub(crate) fn live_warps(&self) -> usize {
        self.warps.iter().filter(|warp| !warp.state.live.is_empty()).count()
    }

    /// How many threads have not ended.
    pub(crate) fn live_threads(&self) -> usize {
        self.warps.iter().map(|warp| warp.state.live.count()).sum()
    }

    /// Opens the barriers at which all have come.
    pub(crate) fn open_barriers(&mut self, launch: &Launch<'_>) -> bool {
        let Self { policy, warps, barriers, .. } = self;
        barriers.open(launch.plan, warps, |warp, state| {
            if let Some(arrival) = state.leave_barrier() {
                policy.wake(WarpPart { warp, lanes: arrival.lanes }, arrival.next);
            }
        })
    }
}

impl Launch<'_> {
    /// Block after block, each with all its warps.
    pub(crate) fn run_regrouped<C: BlockPolicy, O: Observer>(
        &self,
        start: &impl Fn(BlockStart<'_>) -> C,
        memory: &mut Memory<'_>,
        observer: &mut O,
    ) -> Result<(), LaunchError> {
        let setup = Setup::new(self.plan, self.grid, self.config.warp_width);
        let mut rows: Vec<Registers> = (0..self.warps()).map(|_| self.registers(&setup, memory)).collect();
        observer.launched(&self.plan.code);
        for block in 0..self.blocks {
            memory.begin_block(block);
            let mut resident = self.resident(start, &setup, block, rows);
            self.run_block(&mut resident, memory, observer)?;
            resident.policy.figures(&mut |figure| observer.counted(figure));
            rows = resident.warps.into_iter().map(|warp| warp.registers).collect();
        }
        Ok(())
    }

    /// A block whose threads stand at the entry.
    pub(crate) fn resident<C: BlockPolicy>(
        &self,
        start: &impl Fn(BlockStart<'_>) -> C,
        setup: &Setup<'_>,
        block: usize,
        rows: Vec<Registers>,
    ) -> Resident<C> {
        let width = self.config.warp_width;
        let threads: Vec<LaneMask> = (0..self.warps()).map(|warp| threads_of(warp, self.threads, width)).collect();
        let config = &self.config.policy_config();
        let beginning = BlockStart { pc: Pc(0), warps: &threads, config };
        let (policy, ahead) = (start(beginning), Ahead::new(self.plan, &beginning.nobody()));
        let warps = rows.into_iter().zip(&threads).enumerate().map(|(warp, (mut registers, &threads))| {
            setup.block(block, &mut registers);
            setup.warp(block, warp, &mut registers);
            ResidentWarp { registers, state: State::held_elsewhere(threads) }
        });
        let (warps, barriers) = (warps.collect(), Barriers::new(width));
        Resident { block, policy, warps, barriers, arrivals: Vec::new(), ahead, steps: 0 }
    }

    fn run_block<C: BlockPolicy, O: Observer>(
        &self,
        resident: &mut Resident<C>,
        memory: &mut Memory<'_>,
        observer: &mut O,
    ) -> Result<(), LaunchError> {
        let mut watch = Watch::new(&self.budget, self.config);
        loop {
            let (steps, live) = (resident.steps, resident.live_threads());
            let turn = self.turn_of_block(resident, watch.longest_turn().min(TURN), memory, observer)?;
            if matches!(turn, CoreTurn::Stuck) {
                return Err(self.stuck_block(resident));
            }
            if resident.live_threads() != live {
                watch.thread_ended();
            } else if matches!(turn, CoreTurn::Arrived) {
                watch.barrier_opened();
            }
            match watch.worked(resident.steps - steps + std::mem::take(&mut memory.serial)) {
                Next::GiveUp(spent) => return Err(self.given_up_block(resident, spent, memory, observer)),
                _ if matches!(turn, CoreTurn::Ended) => return Ok(()),
                Next::GoOn => {}
                // A configuration of modelled memory is more than what is compared.
                Next::Look(_) if memory.modelled.is_some() => {}
                Next::Look(effort) => {
                    if let Some(segments) = self.repeats(resident, effort, memory, observer)? {
                        return Err(self.circling_block(
                            resident,
                            segments,
                            LivelockProof::ThisPolicy,
                            memory,
                            observer,
                        ));
                    }
                }
            }
        }
    }

    /// Runs the block segment by segment, and looks whether it comes back to where it was, memory and all: after how many.
    #[cold]
    fn repeats<C: BlockPolicy, O: Observer>(
        &self,
        resident: &mut Resident<C>,
        effort: u64,
        memory: &mut Memory<'_>,
        observer: &mut O,
    ) -> Result<Option<u64>, LaunchError> {
        let (mut image, mut distance) = (Image::new(effort, memory), Distance::new());
        let keep = |resident: &Resident<C>| {
            let Resident { policy, warps, barriers, ahead, .. } = resident;
            KeptBlock::of(self.plan, policy, warps, barriers, ahead)
        };
        let mut kept = keep(resident);
        if image.keep(memory).is_none() {
            return Ok(None);
        }
        let mut segments = 0;
        loop {
            let steps = resident.steps;
            match self.turn_of_block(resident, 0, memory, observer)? {
                CoreTurn::Ended | CoreTurn::Stuck => return Ok(None),
                CoreTurn::Arrived | CoreTurn::Paused => {}
            }
            segments += 1;
            if image.segment(resident.steps - steps).is_none() {
                return Ok(None);
            }
            let Resident { policy, warps, barriers, ahead, .. } = &*resident;
            if kept.is(self.plan, policy, warps, barriers, ahead) {
                match image.is(memory) {
                    Some(true) => return Ok(Some(segments)),
                    Some(false) => {}
                    None => return Ok(None),
                }
            }
            if distance.is_to_be_replaced() {
                kept = keep(resident);
                segments = 0;
                if image.keep(memory).is_none() {
                    return Ok(None);
                }
            }
        }
    }

    /// The error for a launch that has spent what it may.
    #[cold]
    pub(crate) fn given_up_block<C: BlockPolicy, O: Observer>(
        &self,
        resident: &mut Resident<C>,
        spent: Spent,
        memory: &mut Memory<'_>,
        observer: &mut O,
    ) -> LaunchError {
        match spent {
            Spent::WithoutProgress { work, barriers } => {
                let proof = LivelockProof::GivenUp { work, barriers };
                self.circling_block(resident, WINDOW, proof, memory, observer)
            }
            Spent::Work(_) | Spent::Time(_) => {
                resident.show();
                let warps: Vec<_> = resident.warps.iter_mut().enumerate().map(CyclingWarp::of).collect();
                self.out_of_budget(spent, resident.block, &warps)
            }
        }
    }

    /// The error for a block nobody of which can go on.
    #[cold]
    pub(crate) fn stuck_block<C: BlockPolicy>(&self, resident: &mut Resident<C>) -> LaunchError {
        resident.show();
        self.deadlocked_block(resident.block, &mut resident.warps, &resident.barriers)
    }

    /// Runs the block for a turn; warps that arrive at barriers are counted there, and barriers are opened.
    pub(crate) fn turn_of_block<C: BlockPolicy, O: Observer>(
        &self,
        resident: &mut Resident<C>,
        turn: u64,
        memory: &mut Memory<'_>,
        observer: &mut O,
    ) -> Result<CoreTurn, LaunchError> {
        let GpuConfig { step_limit, call_depth, local_memory, warp_width, .. } = *self.config;
        let Resident { block, policy, warps, barriers, arrivals, ahead, steps } = resident;
        let core = Core {
            plan: self.plan,
            block: *block,
            width: warp_width,
            step_limit: step_limit.saturating_mul(warps.len() as u64),
            warps,
            memory,
            steps,
            arrivals,
            ahead,
            turn,
            calls: CallLimits { depth: call_depth, memory: local_memory },
        };
        let place = |block, warp| WarpId { block, warp };
        match engine::run_core(core, policy, observer) {
            Ok(CoreTurn::Arrived) => {
                for (warp, arrival) in arrivals.drain(..) {
                    if self.plan.barriers[arrival.number as usize].op != BarrierOp::Arrive {
                        memory.settle(warp);
                    }
                    if let Err(problem) = barriers.arrive(self.plan, warp, arrival, memory) {
                        return Err(self.misused_barrier(problem, place(*block, warp), arrival, &warps[warp].state));
                    }
                }
                resident.open_barriers(self);
                Ok(CoreTurn::Arrived)
            }
            // A barrier may have waited for warps that have ended meanwhile.
            Ok(CoreTurn::Stuck) => {
                let goes_on =
                    resident.open_barriers(self) || resident.policy.release() && resident.policy.current().is_some();
                match self.broken_block(resident, memory) {
                    Some(error) => Err(error),
                    None => Ok(if goes_on { CoreTurn::Arrived } else { CoreTurn::Stuck }),
                }
            }
            Ok(turn) => Ok(turn),
            Err((warp, stop)) => Err(self.stopped(resident, warp, stop, memory)),
        }
    }

    /// The error for a block whose policy has broken a check or a law.
    pub(crate) fn broken_block<C: BlockPolicy>(
        &self,
        resident: &mut Resident<C>,
        memory: &mut Memory<'_>,
    ) -> Option<LaunchError> {
        let (warp, broken) = C::CHECKING.broken(&resident.policy)?;
        let stop = WarpStop::Check(Box::new(broken.clone()));
        Some(self.stopped(resident, warp, stop, memory))
    }

    /// The error for a block one of whose warps has stopped.
    #[cold]
    fn stopped<C: BlockPolicy>(
        &self,
        resident: &mut Resident<C>,
        warp: usize,
        stop: WarpStop,
        memory: &mut Memory<'_>,
    ) -> LaunchError {
        resident.show();
        memory.select_warp(warp);
        let ResidentWarp { registers, state } = &mut resident.warps[warp];
        self.error(stop, WarpId { block: resident.block, warp }, state, registers, memory)
    }

    /// The error for a block that does not end. It runs on for so many segments, to see what it does.
    #[cold]
    fn circling_block<C: BlockPolicy, O: Observer>(
        &self,
        resident: &mut Resident<C>,
        segments: u64,
        proof: LivelockProof,
        memory: &mut Memory<'_>,
        observer: &mut O,
    ) -> LaunchError {
        let mut circles: Vec<Circle> = resident.warps.iter().map(|_| Circle::new()).collect();
        // Whoever goes round issues all that it has run ahead: its registers are then those of where it is.
        resident.ahead.hold();
        for _ in 0..segments {
            let Some(split) = resident.policy.current() else { break };
            for part in split.threads.parts() {
                *circles[part.warp].entry(split.pc).or_insert(LaneMask::EMPTY) |= part.lanes;
            }
            if let Err(error) = self.turn_of_block(resident, 0, memory, observer) {
                return error;
            }
        }
        resident.show();
        let mut warps: Vec<_> = resident.warps.iter_mut().enumerate().map(CyclingWarp::of).collect();
        self.livelock(resident.block, &mut warps, &circles, proof, memory)
    }
}
