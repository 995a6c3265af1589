//! A launch: grid to blocks to warps.
//!
//! Blocks run one after the other in the order of their numbers. The warps of a block run one after the other, too, unless
//! the kernel has barriers or atomics, with which they can wait for each other: then they take turns, in the order of their
//! numbers, of so many instructions each. The order is the same every time.

use crate::block::{Barriers, ResidentWarp, TURN, threads_of};
use crate::config::GpuConfig;
use crate::error::LaunchError;
use crate::flow::{self, CallLimits, State, Turn, Warp};
use crate::grid::Grid;
use crate::lanes::{Plan, Registers};
use crate::livelock::CyclingWarp;
use crate::memory::Memory;
use crate::observe::{Observer, WarpId};
use crate::policy::{ReconvergencePolicy, WarpSplit};
use crate::repeat::{BUDGET, Watch};
use crate::setup::Setup;
use simt_core::code::Pc;
use std::iter;

/// What all warps of a launch share.
pub(crate) struct Launch<'l> {
    pub(crate) plan: &'l Plan,
    pub(crate) grid: Grid,
    pub(crate) blocks: usize,
    pub(crate) threads: usize,
    pub(crate) config: &'l GpuConfig,
    /// The name of the policy.
    pub(crate) policy: &'static str,
}

/// Starts the policy of a warp whose threads stand at the entry.
pub(crate) trait Start<P>: Fn(WarpId, WarpSplit) -> P {}

impl<P, F: Fn(WarpId, WarpSplit) -> P> Start<P> for F {}

impl Launch<'_> {
    /// Warps of a block.
    pub(crate) fn warps(&self) -> usize {
        self.threads.div_ceil(self.config.warp_width)
    }

    /// Registers that hold what all threads of the launch share.
    pub(crate) fn registers(&self, setup: &Setup<'_>, memory: &Memory<'_>) -> Registers {
        let Plan { words, wides, predicates, .. } = *self.plan;
        let mut registers = Registers::new(self.config.warp_width, words, wides, predicates);
        setup.launch(memory, &mut registers);
        registers
    }

    pub(crate) fn run_warps<P: ReconvergencePolicy, O: Observer>(
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
    fn block_in_order<P: ReconvergencePolicy, O: Observer>(
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
            let mut watch = None;
            loop {
                let turn = if watch.is_none() { BUDGET } else { TURN };
                match flow::run::<P, O>(self.warp(registers, memory, turn), &mut state, observer) {
                    Ok(Turn::Paused) => {
                        let watch = watch.get_or_insert_with(Watch::new);
                        if let Some(rounds) = watch.round(iter::once((&state, &*registers)), None, None, memory) {
                            let mut warps = [CyclingWarp { number: warp, registers, state: &mut state }];
                            return Err(self.livelock(block, rounds, &mut warps, memory, observer));
                        }
                    }
                    Ok(Turn::Ended | Turn::Arrived(_)) => {
                        state.ended(observer);
                        break;
                    }
                    Err(stop) => {
                        return Err(self.error(stop, WarpId { block, warp }, &state, registers, memory));
                    }
                }
            }
        }
        Ok(())
    }

    /// All warps of the block, in turns. Gives the registers back.
    fn block_in_turns<P: ReconvergencePolicy, O: Observer>(
        &self,
        start: &impl Start<P>,
        block: usize,
        setup: &Setup<'_>,
        rows: Vec<Registers>,
        memory: &mut Memory<'_>,
        observer: &mut O,
    ) -> Result<Vec<Registers>, LaunchError> {
        let mut barriers = Barriers::new(self.config.warp_width);
        let (mut watch, mut rounds) = (Watch::new(), 0);
        let mut warps = self.resident_warps(start, setup, block, rows);
        loop {
            let mut ran = false;
            for number in 0..warps.len() {
                let ResidentWarp { registers, state } = &mut warps[number];
                if state.live.is_empty() || state.waits_at().is_some() {
                    continue;
                }
                ran = true;
                let place = WarpId { block, warp: number };
                memory.select_warp(number);
                observer.warp(place);
                match flow::run::<P, O>(self.warp(registers, memory, TURN), state, observer) {
                    Ok(Turn::Arrived(arrival)) => {
                        if let Err(problem) = barriers.arrive(self.plan, number, arrival, memory) {
                            return Err(self.misused_barrier(problem, place, arrival, state));
                        }
                    }
                    Ok(Turn::Ended | Turn::Paused) => {}
                    Err(stop) => return Err(self.error(stop, place, state, registers, memory)),
                }
                ran |= barriers.open(self.plan, &mut warps, |_, state| state.open_barrier());
            }
            if warps.iter().all(|warp| warp.state.live.is_empty()) {
                warps.iter().for_each(|warp| warp.state.ended(observer));
                return Ok(warps.into_iter().map(|warp| warp.registers).collect());
            }
            if !ran {
                return Err(self.deadlocked_block(block, &mut warps, &barriers));
            }
            rounds += 1;
            if rounds >= BUDGET / TURN {
                let paused = warps.iter().map(|warp| (&warp.state, &warp.registers));
                if let Some(rounds) = watch.round(paused, Some(&barriers), None, memory) {
                    let mut warps: Vec<_> = warps.iter_mut().enumerate().map(CyclingWarp::of).collect();
                    return Err(self.livelock(block, rounds, &mut warps, memory, observer));
                }
            }
        }
    }

    /// The warps of a block, whose threads stand at the entry.
    pub(crate) fn resident_warps<P: ReconvergencePolicy>(
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
    pub(crate) fn state<P: ReconvergencePolicy>(&self, start: &impl Start<P>, warp: WarpId) -> State<P> {
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
