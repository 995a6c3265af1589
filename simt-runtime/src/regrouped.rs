//! A launch under a policy that regroups the threads of a block.

use crate::block::{Barriers, ResidentWarp, TURN, threads_of};
use crate::config::GpuConfig;
use crate::error::LaunchError;
use crate::flow::{self, CallLimits, Core, CoreTurn, State};
use crate::lanes::Registers;
use crate::launch::Launch;
use crate::livelock::{Circle, CyclingWarp};
use crate::memory::Memory;
use crate::observe::{Observer, WarpId};
use crate::policy::{ByWarp, CorePolicy, CoreStart, WarpPart};
use crate::repeat::{BUDGET, Watch};
use crate::setup::Setup;
use simt_core::LaneMask;
use simt_core::code::Pc;
use simt_core::program::BarrierOp;
use smallvec::SmallVec;

/// A block that runs.
struct Resident<C> {
    block: usize,
    policy: C,
    warps: Vec<ResidentWarp<ByWarp<C>>>,
    barriers: Barriers,
    steps: u64,
}

impl<C: CorePolicy> Resident<C> {
    /// Puts the policy's view of each warp where errors and comparisons look for it.
    fn show(&mut self) {
        for (number, warp) in self.warps.iter_mut().enumerate() {
            warp.state.show(ByWarp::of(&self.policy, number));
        }
    }

    /// Opens the barriers at which all have come.
    fn open_barriers(&mut self, launch: &Launch<'_>) -> bool {
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
    pub(crate) fn run_regrouped<C: CorePolicy, O: Observer>(
        &self,
        start: &impl Fn(CoreStart<'_>) -> C,
        memory: &mut Memory<'_>,
        observer: &mut O,
    ) -> Result<(), LaunchError> {
        let width = self.config.warp_width;
        let setup = Setup::new(self.plan, self.grid, width);
        let mut rows: Vec<Registers> = (0..self.warps()).map(|_| self.registers(&setup, memory)).collect();
        observer.launched(&self.plan.code);
        let threads: Vec<LaneMask> = (0..self.warps()).map(|warp| threads_of(warp, self.threads, width)).collect();
        for block in 0..self.blocks {
            memory.begin_block(block);
            let policy = start(CoreStart { pc: Pc(0), warps: &threads, config: self.config });
            let mut warps = Vec::with_capacity(rows.len());
            for (warp, mut registers) in rows.into_iter().enumerate() {
                setup.block(block, &mut registers);
                setup.warp(block, warp, &mut registers);
                warps.push(ResidentWarp { registers, state: State::held_elsewhere(threads[warp]) });
            }
            let mut resident = Resident { block, policy, warps, barriers: Barriers::new(width), steps: 0 };
            self.run_block(&mut resident, memory, observer)?;
            observer.ended(&resident.policy.figures());
            rows = resident.warps.into_iter().map(|warp| warp.registers).collect();
        }
        Ok(())
    }

    fn run_block<C: CorePolicy, O: Observer>(
        &self,
        resident: &mut Resident<C>,
        memory: &mut Memory<'_>,
        observer: &mut O,
    ) -> Result<(), LaunchError> {
        let block = resident.block;
        let mut watch = Watch::new();
        let mut look = BUDGET;
        loop {
            match self.turn_of_block(resident, look.saturating_sub(resident.steps), memory, observer)? {
                CoreTurn::Ended => return Ok(()),
                CoreTurn::Stuck => {
                    resident.show();
                    return Err(self.deadlocked_block(block, &mut resident.warps, &resident.barriers));
                }
                CoreTurn::Arrived(_) | CoreTurn::Paused => {}
            }
            // A configuration of modelled memory is more than what is compared.
            if resident.steps > look && memory.modelled.is_none() {
                resident.show();
                let paused = resident.warps.iter().map(|warp| (&warp.state, &warp.registers));
                if let Some(rounds) = watch.round(paused, Some(&resident.barriers), memory) {
                    return Err(self.circling_block(resident, rounds, memory, observer));
                }
                look = resident.steps + TURN;
            }
        }
    }

    /// Runs the block for a turn; warps that arrive at barriers are counted there, and barriers are opened.
    fn turn_of_block<C: CorePolicy, O: Observer>(
        &self,
        resident: &mut Resident<C>,
        turn: u64,
        memory: &mut Memory<'_>,
        observer: &mut O,
    ) -> Result<CoreTurn, LaunchError> {
        let GpuConfig { step_limit, call_depth, local_memory, warp_width, .. } = *self.config;
        let Resident { block, policy, warps, barriers, steps } = resident;
        let core = Core {
            plan: self.plan,
            block: *block,
            width: warp_width,
            step_limit: step_limit.saturating_mul(warps.len() as u64),
            warps,
            memory,
            steps,
            turn,
            calls: CallLimits { depth: call_depth, memory: local_memory },
        };
        let place = |block, warp| WarpId { block, warp };
        match flow::run_core(core, policy, observer) {
            Ok(CoreTurn::Arrived(arrivals)) => {
                for &(warp, arrival) in &arrivals {
                    if self.plan.barriers[arrival.number as usize].op != BarrierOp::Arrive {
                        memory.settle(warp);
                    }
                    if let Err(problem) = barriers.arrive(self.plan, warp, arrival) {
                        return Err(self.misused_barrier(problem, place(*block, warp), arrival, &warps[warp].state));
                    }
                }
                resident.open_barriers(self);
                Ok(CoreTurn::Arrived(arrivals))
            }
            // A barrier may have waited for warps that have ended meanwhile.
            Ok(CoreTurn::Stuck) => {
                let goes_on =
                    resident.open_barriers(self) || resident.policy.release() && resident.policy.current().is_some();
                Ok(if goes_on { CoreTurn::Arrived(SmallVec::new()) } else { CoreTurn::Stuck })
            }
            Ok(turn) => Ok(turn),
            Err((warp, stop)) => {
                let place = place(*block, warp);
                resident.show();
                memory.select_warp(warp);
                let ResidentWarp { registers, state } = &mut resident.warps[warp];
                Err(self.error(stop, place, state, registers, memory))
            }
        }
    }

    /// The error for a block that is again as it was so many rounds ago. It goes round once more, to see what it does.
    #[cold]
    fn circling_block<C: CorePolicy, O: Observer>(
        &self,
        resident: &mut Resident<C>,
        rounds: u64,
        memory: &mut Memory<'_>,
        observer: &mut O,
    ) -> LaunchError {
        let mut circles: Vec<Circle> = resident.warps.iter().map(|_| Circle::new()).collect();
        for _ in 0..rounds {
            let end = resident.steps + TURN;
            while resident.steps <= end {
                let Some(split) = resident.policy.current() else { break };
                for part in split.parts {
                    *circles[part.warp].entry(split.pc).or_insert(LaneMask::EMPTY) |= part.lanes;
                }
                if let Err(error) = self.turn_of_block(resident, 0, memory, observer) {
                    return error;
                }
            }
        }
        resident.show();
        let mut warps: Vec<_> = resident.warps.iter_mut().enumerate().map(CyclingWarp::of).collect();
        self.circling(resident.block, &mut warps, &circles, memory)
    }
}
