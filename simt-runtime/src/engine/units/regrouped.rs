//! A block whose policy regroups threads: it is one unit.

use super::Start;
use crate::engine::block_loop::{self, BlockTurn, Threads};
use crate::engine::control::Halt;
use crate::engine::cycles::contents;
use crate::engine::run_ahead::Ahead;
use crate::engine::state::{ResidentWarp, WarpState};
use crate::engine::{Block, Init, Launch, Turn, Units};
use crate::lanes::Registers;
use crate::memory::Memory;
use crate::observe::{BlockMoment, Observer};
use crate::plan::Plan;
use crate::policy::checked::BrokenCheck;
use crate::policy::{BlockPolicy, BlockStart, WarpPart, WarpSplit};
use simt_core::LaneMask;
use simt_core::code::Pc;

/// The threads of a block, with the policy that has their addresses.
#[derive(Debug)]
pub(crate) struct Regrouped<C> {
    warps: Vec<ResidentWarp>,
    policy: C,
    ahead: Ahead,
    steps: u64,
    /// How many times threads have ended.
    exits: u64,
    arrivals: Vec<usize>,
}

/// A block, to compare with.
pub(crate) struct KeptBlock<C> {
    policy: C,
    ahead: Ahead,
    warps: Vec<(WarpState, Vec<u64>)>,
}

impl<C: BlockPolicy> Units for Regrouped<C> {
    const REGROUPS: bool = true;
    type Kept = KeptBlock<C>;
    type Parts = Vec<WarpPart>;

    fn count(_warps: usize) -> usize {
        1
    }
    fn warps(&self) -> &[ResidentWarp] {
        &self.warps
    }
    fn warps_mut(&mut self) -> &mut Vec<ResidentWarp> {
        &mut self.warps
    }
    fn splits(&self, warp: usize) -> Vec<WarpSplit> {
        let of_warp = self.policy.splits().into_iter().filter(|(_, part)| part.warp == warp);
        of_warp.map(|(pc, part)| WarpSplit { pc, mask: part.lanes }).collect()
    }
    fn runs(&self, _unit: usize) -> bool {
        true
    }
    fn steps(&self, _unit: usize) -> u64 {
        self.steps
    }
    fn ends(&self, _unit: usize) -> u64 {
        self.exits
    }

    fn run<O: Observer>(
        &mut self,
        _unit: usize,
        turn: u64,
        block: usize,
        launch: &Launch<'_>,
        memory: &mut Memory<'_>,
        observer: &mut O,
    ) -> Result<Turn, Halt> {
        let Self { warps, policy, ahead, steps, exits, arrivals } = self;
        let threads = Threads {
            plan: launch.plan,
            block,
            width: launch.config.warp_width,
            step_limit: launch.config.step_limit.saturating_mul(warps.len() as u64),
            warps,
            memory,
            steps,
            exits,
            arrivals,
            ahead,
            turn,
            limits: launch.call_limits(),
        };
        let turn = block_loop::run(threads, policy, observer);
        let waiting = |warp: usize| warps[warp].state.waiting();
        observer.stands(&BlockMoment { policy: &*policy, block, warps: warps.len(), waiting });
        // An error is told by what it finds in the memory of its warp.
        turn.inspect_err(|&(warp, _)| memory.select_warp(warp)).map(|turn| match turn {
            BlockTurn::Ended => Turn::Ended,
            BlockTurn::Arrived => Turn::Arrived,
            BlockTurn::Stuck => Turn::Stuck,
            BlockTurn::Paused => Turn::Paused,
        })
    }

    fn arrivals(&mut self) -> &mut Vec<usize> {
        &mut self.arrivals
    }

    fn leave_barrier(&mut self, warp: usize) {
        if let Some(arrival) = self.warps[warp].state.barrier.take() {
            self.policy.wake(WarpPart { warp, lanes: arrival.lanes }, arrival.next);
        }
    }

    fn release(&mut self, plan: &Plan) -> bool {
        self.policy.release(&|pc| plan.only_ends(pc)) && self.policy.current().is_some()
    }

    fn broken(&self, _unit: usize) -> Option<(usize, &BrokenCheck)> {
        C::CHECKING.broken(&self.policy)
    }

    fn current(&self, _unit: usize, parts: &mut Self::Parts) -> Option<Pc> {
        parts.clear();
        let split = self.policy.current()?;
        parts.extend(split.threads.parts());
        Some(split.pc)
    }

    fn tell(&self, observer: &mut impl Observer) {
        self.policy.figures(&mut |figure| observer.counted(figure));
    }

    fn keep(&self, _unit: usize, launch: &Launch<'_>) -> KeptBlock<C> {
        let keep = |warp: &ResidentWarp| (warp.state.clone(), contents(launch.plan, &warp.registers).collect());
        let warps = self.warps.iter().map(keep).collect();
        KeptBlock { policy: self.policy.clone(), ahead: self.ahead.clone(), warps }
    }

    /// What is compared first differs most often.
    fn is(&self, _unit: usize, kept: &KeptBlock<C>, launch: &Launch<'_>) -> bool {
        let place = |policy: &C| policy.current().map(|split| (split.pc, split.threads.count()));
        let is = |(warp, (state, words)): (&ResidentWarp, &(WarpState, Vec<u64>))| {
            warp.state.is_as(state) && contents(launch.plan, &warp.registers).eq(words.iter().copied())
        };
        place(&self.policy) == place(&kept.policy)
            && self.policy == kept.policy
            && self.ahead == kept.ahead
            && self.warps.iter().zip(&kept.warps).all(is)
    }

    /// Threads that go round issue all that they have run ahead.
    fn settle(&mut self) {
        self.ahead.hold();
    }

    fn ready(&mut self, free: &[LaneMask], now: u64) -> u64 {
        C::TIMING.ready_at(&mut self.policy, free, now)
    }

    fn select(&mut self, unit: usize, free: &[LaneMask], parts: &mut Self::Parts) -> Option<Pc> {
        if C::TIMING.selects(&mut self.policy, free) { self.current(unit, parts) } else { None }
    }
}

/// Starts policies of blocks.
pub(crate) struct ByBlocks<F>(pub(crate) F);

impl<C: BlockPolicy, F: Fn(BlockStart<'_>) -> C> Start for ByBlocks<F> {
    type Units = Regrouped<C>;

    fn block(&self, launch: &Launch<'_>, init: &Init<'_>, number: usize, rows: Vec<Registers>) -> Block<Regrouped<C>> {
        let threads: Vec<LaneMask> = (0..launch.warps()).map(|warp| launch.threads_of(warp)).collect();
        let config = &launch.config.policy_config();
        let beginning = BlockStart { pc: Pc(0), warps: &threads, config };
        let (policy, ahead) = ((self.0)(beginning), Ahead::new(launch.plan, &beginning.no_threads()));
        let warps = rows.into_iter().zip(&threads).enumerate().map(|(warp, (mut registers, &threads))| {
            init.block(number, &mut registers);
            init.warp(number, warp, &mut registers);
            ResidentWarp { registers, state: WarpState::new(threads) }
        });
        let units = Regrouped { warps: warps.collect(), policy, ahead, steps: 0, exits: 0, arrivals: Vec::new() };
        Block::new(number, units, launch)
    }
}
