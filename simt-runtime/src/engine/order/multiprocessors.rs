//! A launch on modelled memory: blocks on several multiprocessors, their warps in any order.
//!
//! The oracle says where a block goes, which warp runs next and for how long, and what memory does in between. The report
//! lets warps of all multiprocessors make a step at once (sections 5.7 and 5.8); they share nothing but memory, whose
//! operations are interleaved anyway.

use crate::engine::Setup;
use crate::engine::{self, Turn};
use crate::engine::{Barriers, ResidentWarp};
use crate::engine::{Launch, Start};
use crate::engine::{Next, Watch};
use crate::environment::{EnvironmentConfig, MemoryModel, Question, Stuck};
use crate::error::LaunchError;
use crate::gpu::diagnose::CyclingWarp;
use crate::memory::environment::{Home, Modelled};
use crate::memory::{BlockMemory, Memory};
use crate::observe::{Observer, WarpId};
use crate::policy::WarpPolicy;
use simt_core::program::BarrierOp;

/// What an instruction counts on modelled memory, in units of work.
///
/// **Assumed:** it takes the host so many times as long as one on ideal memory.
const ISSUE: u64 = 256;

/// A block that runs.
struct Resident<P> {
    block: usize,
    /// Where its first warp runs.
    home: Home,
    warps: Vec<ResidentWarp<P>>,
    barriers: Barriers,
    /// What it has to itself, while another block runs.
    own: BlockMemory,
}

impl<P: WarpPolicy> Resident<P> {
    fn can_run(&self, warp: usize) -> bool {
        let state = &self.warps[warp].state;
        !state.live.is_empty() && state.waits_at().is_none()
    }

    fn has_ended(&self) -> bool {
        self.warps.iter().all(|warp| warp.state.live.is_empty())
    }
}

impl Launch<'_> {
    /// All blocks, as many at a time as there is room for.
    pub(crate) fn run_interleaved<P: WarpPolicy, O: Observer>(
        &self,
        start: &impl Start<P>,
        memory: &mut Memory<'_>,
        observer: &mut O,
    ) -> Result<(), LaunchError> {
        let MemoryModel::Environment(environment) = &self.config.memory else { return Ok(()) };
        let setup = Setup::new(self.plan, self.grid, self.config.warp_width);
        observer.launched(&self.plan.code);
        let mut blocks = 0..self.blocks;
        let mut watch = Watch::new(&self.budget, self.config);
        let mut resident: Vec<Resident<P>> = Vec::new();
        loop {
            while !blocks.is_empty()
                && let Some((processor, seat)) = free_seat(&resident, environment, memory)
            {
                let Some(block) = blocks.next() else { break };
                let home = Home { processor, seat, warp: 0, number: (block * self.warps()) as u64 };
                resident.push(self.seated(start, block, home, &setup, memory));
            }
            if resident.is_empty() {
                return Ok(());
            }
            let runnable: Vec<(usize, usize)> = (0..resident.len())
                .flat_map(|place| (0..self.warps()).map(move |warp| (place, warp)))
                .filter(|&(place, warp)| resident[place].can_run(warp))
                .collect();
            if runnable.is_empty() {
                let Resident { block, warps, barriers, .. } = &mut resident[0];
                return Err(self.deadlocked_block(*block, warps, barriers));
            }
            let chosen = |modelled: &mut Modelled| {
                (modelled.ask(Question::Warp, runnable.len()), modelled.ask(Question::Turn, environment.turn))
            };
            let (chosen, turn) = memory.modelled.as_deref_mut().map_or((0, 0), chosen);
            let (place, warp) = runnable[chosen];
            self.run_turn(&mut resident[place], (warp, turn as u64), &mut watch, memory, observer)?;
            self.between(memory, Modelled::pass)?;
            if resident[place].has_ended() {
                let ended = resident.swap_remove(place);
                ended.warps.iter().for_each(|warp| warp.state.ended(observer));
                self.between(memory, |modelled| modelled.leave(ended.home))?;
            }
        }
    }

    /// Something that memory does while no warp runs.
    fn between(
        &self,
        memory: &mut Memory<'_>,
        something: impl FnOnce(&mut Modelled) -> Result<(), Stuck>,
    ) -> Result<(), LaunchError> {
        let kernel = || self.plan.code.name.clone();
        memory
            .modelled
            .as_deref_mut()
            .map_or(Ok(()), something)
            .map_err(|stuck| LaunchError::Memory { kernel: kernel(), stuck })
    }

    /// A block whose warps stand at the entry.
    fn seated<P: WarpPolicy>(
        &self,
        start: &impl Start<P>,
        block: usize,
        home: Home,
        setup: &Setup<'_>,
        memory: &Memory<'_>,
    ) -> Resident<P> {
        let (width, arrays) = (self.config.warp_width, &self.plan.code.arrays);
        let rows = (0..self.warps()).map(|_| self.registers(setup, memory)).collect();
        let mut own = memory.of_block(arrays, width, self.warps());
        own.begin(block);
        Resident {
            block,
            home,
            warps: self.resident_warps(start, setup, block, rows),
            barriers: Barriers::new(width),
            own,
        }
    }

    /// A warp runs for some instructions.
    fn run_turn<P: WarpPolicy, O: Observer>(
        &self,
        resident: &mut Resident<P>,
        (number, turn): (usize, u64),
        watch: &mut Watch<'_>,
        memory: &mut Memory<'_>,
        observer: &mut O,
    ) -> Result<(), LaunchError> {
        let Resident { block, home, warps, barriers, own } = resident;
        memory.exchange(*block, own);
        if let Some(modelled) = memory.modelled.as_deref_mut() {
            modelled.enter(*home);
        }
        memory.select_warp(number);
        let place = WarpId { block: *block, warp: number };
        observer.warp(place);
        let ResidentWarp { registers, state } = &mut warps[number];
        let (steps, live) = (state.steps(), state.live);
        match engine::run::<P, O>(self.warp(registers, memory, turn), state, observer) {
            Ok(Turn::Arrived(arrival)) => {
                // `bar.sync` and `bar.red` imply `membar.cta`, `bar.arrive` does not (the report's section 5.3.2).
                if self.plan.barriers[arrival.number as usize].op != BarrierOp::Arrive {
                    memory.settle(number);
                }
                if let Err(problem) = barriers.arrive(self.plan, number, arrival, memory) {
                    return Err(self.misused_barrier(problem, place, arrival, state));
                }
            }
            Ok(Turn::Ended | Turn::Paused) => {}
            Err(stop) => return Err(self.error(stop, place, state, registers, memory)),
        }
        let work = ISSUE * (state.steps() - steps) + std::mem::take(&mut memory.serial);
        if state.live != live {
            watch.thread_ended();
        }
        if barriers.open(self.plan, warps, |_, state| state.open_barrier()) {
            watch.barrier_opened();
        }
        // Here nothing proves that a warp spins without end: the same configuration may go on otherwise the next time.
        if let Next::GiveUp(spent) = watch.worked(work) {
            let mut warps: Vec<_> = warps.iter_mut().enumerate().map(CyclingWarp::of).collect();
            return Err(self.given_up(spent, *block, &mut warps, memory, observer));
        }
        memory.exchange(*block, own);
        match memory.stuck() {
            Some(stuck) => Err(LaunchError::Memory { kernel: self.plan.code.name.clone(), stuck: stuck.clone() }),
            None => Ok(()),
        }
    }
}

/// A place for a block, if there is one: on any multiprocessor that has room.
fn free_seat<P>(
    resident: &[Resident<P>],
    config: &EnvironmentConfig,
    memory: &mut Memory<'_>,
) -> Option<(usize, usize)> {
    let taken =
        |processor, seat| resident.iter().any(|block| (block.home.processor, block.home.seat) == (processor, seat));
    let seat =
        |processor| (0..config.resident_blocks).find(|&seat| !taken(processor, seat)).map(|seat| (processor, seat));
    let free: Vec<(usize, usize)> = (0..config.processors).filter_map(seat).collect();
    let modelled = memory.modelled.as_deref_mut()?;
    let chosen = modelled.ask(Question::Processor, free.len());
    free.get(chosen).copied()
}
