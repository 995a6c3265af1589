//! A launch: grid to blocks to warps.
//!
//! Blocks run one after the other in the order of their numbers. The warps of a block run one after the other, too, unless
//! the kernel has barriers or atomics, with which they can wait for each other: then they take turns, in the order of their
//! numbers. How long a turn is, is drawn, so that it does not resonate with what the warps do; the order is the same every
//! time.

use crate::config::GpuConfig;
use crate::engine::Setup;
use crate::engine::Turns;
use crate::engine::Unknown;
use crate::engine::{self, CallLimits, State, Turn, Warp};
use crate::engine::{Barriers, ResidentWarp, threads_of};
use crate::engine::{Budget, Next, Watch};
use crate::error::{LaunchError, LivelockProof};
use crate::gpu::diagnose::{Circle, CyclingWarp};
use crate::grid::Grid;
use crate::lanes::Registers;
use crate::memory::Memory;
use crate::observe::{Observer, WarpId};
use crate::plan::Plan;
use crate::policy::{WarpPolicy, WarpSplit};
use simt_core::code::Pc;

/// Longest turn of a warp that prints, where warps run one after the other: its lines are more work than its instructions.
const PRINTING_TURN: u64 = 1 << 12;

/// What all warps of a launch share.
pub(crate) struct Launch<'l> {
    pub(crate) plan: &'l Plan,
    pub(crate) grid: Grid,
    pub(crate) blocks: usize,
    pub(crate) threads: usize,
    pub(crate) config: &'l GpuConfig,
    /// The name of the policy.
    pub(crate) policy: &'static str,
    /// What it may do.
    pub(crate) budget: Budget,
}

/// Starts the policy of a warp whose threads stand at the entry.
pub(crate) trait Start<P>: Fn(WarpId, WarpSplit) -> P {}

impl<P, F: Fn(WarpId, WarpSplit) -> P> Start<P> for F {}

impl Launch<'_> {
    /// Warps of a block.
    pub(crate) fn warps(&self) -> usize {
        self.threads.div_ceil(self.config.warp_width)
    }

    /// Registers of a warp.
    pub(crate) fn empty_registers(&self) -> Registers {
        let Plan { words, wides, predicates, .. } = *self.plan;
        Registers::new(self.config.warp_width, words, wides, predicates)
    }

    /// Registers that hold what all threads of the launch share.
    pub(crate) fn registers(&self, setup: &Setup<'_>, memory: &Memory<'_>) -> Registers {
        let mut registers = self.empty_registers();
        setup.launch(memory, &mut registers);
        registers
    }

    pub(crate) fn run_warps<P: WarpPolicy, O: Observer>(
        &self,
        start: &impl Start<P>,
        memory: &mut Memory<'_>,
        observer: &mut O,
    ) -> Result<(), LaunchError> {
        let plan = self.plan;
        let setup = Setup::new(plan, self.grid, self.config.warp_width);
        let cooperative = plan.is_cooperative();
        let warps = if cooperative { self.warps() } else { 1 };
        let mut rows: Vec<Registers> = (0..warps).map(|_| self.registers(&setup, memory)).collect();
        observer.launched(&plan.code);
        for block in 0..self.blocks {
            memory.begin_block(block);
            if cooperative {
                rows = self.block_in_turns(start, block, &setup, rows, memory, observer)?;
            } else if let Some(registers) = rows.first_mut() {
                self.block_in_order(start, block, &setup, registers, memory, observer)?;
            }
        }
        Ok(())
    }

    /// One warp after the other: none can wait for another.
    fn block_in_order<P: WarpPolicy, O: Observer>(
        &self,
        start: &impl Start<P>,
        block: usize,
        setup: &Setup<'_>,
        registers: &mut Registers,
        memory: &mut Memory<'_>,
        observer: &mut O,
    ) -> Result<(), LaunchError> {
        setup.block(block, registers);
        for warp in 0..self.warps() {
            setup.warp(block, warp, registers);
            memory.name_warp(warp);
            observer.warp(WarpId { block, warp });
            let mut state = self.state(start, WarpId { block, warp });
            let mut watch = Watch::new(&self.budget, self.config);
            let (mut look, mut prints) = (None, false);
            loop {
                let (steps, live) = (state.steps(), state.live);
                let ran = match look.take() {
                    None => {
                        let longest = watch.longest_turn();
                        let turn = if prints { longest.min(PRINTING_TURN) } else { longest };
                        engine::run::<P, O>(self.warp(registers, memory, turn), &mut state, observer)
                            .map(|turn| (turn, None))
                    }
                    Some(effort) => self.turn_alone(registers, &mut state, effort, memory, observer),
                };
                let place = WarpId { block, warp };
                let (turn, circle) = ran.map_err(|stop| self.error(stop, place, &state, registers, memory))?;
                if let Some(circle) = circle {
                    let cycling = CyclingWarp { number: warp, registers, state: &mut state };
                    return Err(self.livelock_of_one(block, cycling, circle, memory));
                }
                if state.live != live {
                    watch.thread_ended();
                }
                let has_ended = !matches!(turn, Turn::Paused);
                let serial = std::mem::take(&mut memory.serial);
                prints |= serial > 0;
                match watch.worked(state.steps() - steps + serial) {
                    Next::GiveUp(spent) => {
                        let mut cycling = [CyclingWarp { number: warp, registers, state: &mut state }];
                        return Err(self.given_up(spent, block, &mut cycling, memory, observer));
                    }
                    _ if has_ended => {
                        state.ended(observer);
                        break;
                    }
                    Next::GoOn => {}
                    Next::Look(effort) => match self.circle(&state, registers, effort, memory) {
                        Ok(circle) => {
                            let cycling = CyclingWarp { number: warp, registers, state: &mut state };
                            return Err(self.livelock_of_one(block, cycling, circle, memory));
                        }
                        Err(Unknown::Changes) => look = Some(effort),
                        Err(Unknown::Arrives | Unknown::TooLong) => {}
                    },
                }
            }
        }
        Ok(())
    }

    /// The error for a warp that goes round in a circle, of a block whose warps run one after the other.
    fn livelock_of_one<P: WarpPolicy>(
        &self,
        block: usize,
        warp: CyclingWarp<'_, P>,
        circle: Circle,
        memory: &mut Memory<'_>,
    ) -> LaunchError {
        let is_last = warp.number + 1 == self.warps();
        let proof = if is_last { LivelockProof::EverySchedule } else { LivelockProof::OneAfterTheOther };
        self.livelock(block, &mut [warp], &[circle], proof, memory)
    }

    /// All warps of the block, in turns. Gives the registers back.
    fn block_in_turns<P: WarpPolicy, O: Observer>(
        &self,
        start: &impl Start<P>,
        block: usize,
        setup: &Setup<'_>,
        rows: Vec<Registers>,
        memory: &mut Memory<'_>,
        observer: &mut O,
    ) -> Result<Vec<Registers>, LaunchError> {
        let mut barriers = Barriers::new(self.config.warp_width);
        let mut turns = Turns::new(self.config.seed, block);
        let mut watch = Watch::new(&self.budget, self.config);
        let mut look = None;
        let mut warps = self.resident_warps(start, setup, block, rows);
        loop {
            let mut ran = false;
            for number in 0..warps.len() {
                if !warps[number].runs() {
                    continue;
                }
                ran = true;
                let place = WarpId { block, warp: number };
                memory.select_warp(number);
                observer.warp(place);
                let alone = look.take().filter(|_| warps.iter().filter(|warp| warp.runs()).count() == 1);
                let ResidentWarp { registers, state } = &mut warps[number];
                let (steps, live) = (state.steps(), state.live);
                let result = match alone {
                    None => {
                        let turn = turns.draw(watch.is_late());
                        engine::run::<P, O>(self.warp(registers, memory, turn), state, observer)
                            .map(|turn| (turn, None))
                    }
                    Some(effort) => self.turn_alone(registers, state, effort, memory, observer),
                };
                let (turn, circle) = result.map_err(|stop| self.error(stop, place, state, registers, memory))?;
                let work = state.steps() - steps + std::mem::take(&mut memory.serial);
                if state.live != live {
                    watch.thread_ended();
                }
                if let Some(circle) = circle {
                    let mut circles: Vec<_> = warps.iter().map(|_| Circle::new()).collect();
                    circles[number] = circle;
                    return Err(self.livelock_of(block, &mut warps, &circles, memory));
                }
                if let Turn::Arrived(arrival) = turn
                    && let Err(problem) = barriers.arrive(self.plan, number, arrival, memory)
                {
                    return Err(self.misused_barrier(problem, place, arrival, state));
                }
                if !matches!(turn, Turn::Paused)
                    && barriers.open(self.plan, &mut warps, |_, state| state.open_barrier())
                {
                    watch.barrier_opened();
                    ran = true;
                }
                match watch.worked(work) {
                    Next::GoOn => {}
                    Next::Look(effort) => match self.circles(&warps, &barriers, effort, memory) {
                        Ok(circles) => return Err(self.livelock_of(block, &mut warps, &circles, memory)),
                        Err(Unknown::Changes) => look = Some(effort),
                        Err(Unknown::Arrives | Unknown::TooLong) => {}
                    },
                    Next::GiveUp(spent) => {
                        let mut warps: Vec<_> = warps.iter_mut().enumerate().map(CyclingWarp::of).collect();
                        return Err(self.given_up(spent, block, &mut warps, memory, observer));
                    }
                }
            }
            if warps.iter().all(|warp| warp.state.live.is_empty()) {
                warps.iter().for_each(|warp| warp.state.ended(observer));
                return Ok(warps.into_iter().map(|warp| warp.registers).collect());
            }
            if !ran {
                return Err(self.deadlocked_block(block, &mut warps, &barriers));
            }
        }
    }

    /// The error for a block whose warps go round in circles whenever they run.
    fn livelock_of<P: WarpPolicy>(
        &self,
        block: usize,
        warps: &mut [ResidentWarp<P>],
        circles: &[Circle],
        memory: &mut Memory<'_>,
    ) -> LaunchError {
        let mut warps: Vec<_> = warps.iter_mut().enumerate().map(CyclingWarp::of).collect();
        self.livelock(block, &mut warps, circles, LivelockProof::EverySchedule, memory)
    }

    /// The warps of a block, whose threads stand at the entry.
    pub(crate) fn resident_warps<P: WarpPolicy>(
        &self,
        start: &impl Start<P>,
        setup: &Setup<'_>,
        block: usize,
        rows: Vec<Registers>,
    ) -> Vec<ResidentWarp<P>> {
        let resident = |(warp, mut registers)| {
            setup.block(block, &mut registers);
            setup.warp(block, warp, &mut registers);
            ResidentWarp { registers, state: self.state(start, WarpId { block, warp }) }
        };
        rows.into_iter().enumerate().map(resident).collect()
    }

    /// A warp whose threads stand at the entry.
    pub(crate) fn state<P: WarpPolicy>(&self, start: &impl Start<P>, warp: WarpId) -> State<P> {
        let mask = threads_of(warp.warp, self.threads, self.config.warp_width);
        State::new(start(warp, WarpSplit { pc: Pc(0), mask }), mask)
    }

    pub(crate) fn warp<'w, 'a>(
        &'w self,
        registers: &'w mut Registers,
        memory: &'w mut Memory<'a>,
        turn: u64,
    ) -> Warp<'w, 'a> {
        let GpuConfig { step_limit, call_depth, local_memory, .. } = *self.config;
        let calls = CallLimits { depth: call_depth, memory: local_memory };
        Warp { plan: self.plan, registers, memory, step_limit, turn, calls }
    }
}
