//! The loop that runs a block whose policy regroups threads: that of `warp_loop`, with parts of several warps in place of
//! one warp's lanes.
//!
//! Registers stay where they are. What issues together runs warp by warp, each for its lanes that take part; where no other
//! thread can tell, more lanes come along (`run_ahead`).

use super::collective::{self, Holder};
use super::control::{self, Group, GroupPart, Halt, Ways, holding};
use super::run_ahead::Ahead;
use super::state::ResidentWarp;
use super::{CallLimits, Why};
use crate::lanes::{self, LaneFault};
use crate::memory::Memory;
use crate::observe::{BlockMoment, Observer, Ran};
use crate::plan::{Converge, Plan};
use crate::policy::{BlockBranch, BlockPolicy, BlockSplit, ThreadMask, WarpPart, WarpSplit};
use multiversion::multiversion;
use simt_core::LaneMask;
use simt_core::code::{JumpKind, Marker, Pc};

/// How a block came back.
#[derive(Clone, Copy, Debug)]
pub(super) enum BlockTurn {
    /// All its threads have ended.
    Ended,
    /// Warps have arrived at barriers.
    Arrived,
    /// All threads wait, and no collective of a warp is complete.
    Stuck,
    /// It has run for long enough.
    Paused,
}

/// What a block runs on.
pub(super) struct Threads<'c, 'a> {
    pub(super) plan: &'c Plan,
    pub(super) block: usize,
    pub(super) width: usize,
    pub(super) warps: &'c mut [ResidentWarp],
    pub(super) memory: &'c mut Memory<'a>,
    pub(super) steps: &'c mut u64,
    /// How many times threads have ended.
    pub(super) exits: &'c mut u64,
    /// The warps that arrive at barriers in this turn.
    pub(super) arrivals: &'c mut Vec<usize>,
    pub(super) step_limit: u64,
    pub(super) ahead: &'c mut Ahead,
    /// How many instructions it may issue before it is looked at.
    pub(super) turn: u64,
    pub(super) limits: CallLimits,
}

/// The lanes of one warp of the block. None is ever current: the policy parks those that come to a collective before
/// anything else.
struct OfWarp<'p, C> {
    policy: &'p mut C,
    warp: usize,
}

impl<C: BlockPolicy> Holder for OfWarp<'_, C> {
    fn active(&self) -> LaneMask {
        LaneMask::EMPTY
    }
    fn proceed(&mut self, _next: Pc) {}
    fn part(&mut self, _lanes: LaneMask, _next: Pc, _at: Pc) {}
    fn park(&mut self) -> bool {
        true
    }
    /// Threads of other warps may still run, whose end is waited for first.
    fn release(&mut self, _ends: &dyn Fn(Pc) -> bool) -> bool {
        false
    }
    fn wake(&mut self, lanes: LaneMask, next: Pc) {
        self.policy.wake(WarpPart { warp: self.warp, lanes }, next);
    }
}

/// The current threads of a block.
struct ThreadsOfBlock<'g, 'a, C> {
    plan: &'g Plan,
    block: usize,
    warps: &'g mut [ResidentWarp],
    memory: &'g mut Memory<'a>,
    policy: &'g mut C,
    ahead: &'g mut Ahead,
    /// The number of the segment among those that may run ahead, or 0.
    runs_ahead: u32,
    /// SIMD lanes, and whether they are exactly those of the threads: threads of one home lane may issue together, each in
    /// another lane.
    mask: LaneMask,
    is_exact: bool,
    chosen: &'g mut ThreadMask,
    rest: &'g mut ThreadMask,
    exits: &'g mut u64,
    arrivals: &'g mut Vec<usize>,
}

impl<C: BlockPolicy> ThreadsOfBlock<'_, '_, C> {
    /// The SIMD lanes of those that were chosen.
    #[inline(always)]
    fn seen(&self) -> LaneMask {
        if self.is_exact {
            return self.policy.positions(self.chosen);
        }
        let (exact, threads) = (self.policy.positions(self.chosen), self.chosen.count());
        if exact.count() == threads && exact.is_subset(self.mask) {
            return exact;
        }
        self.mask.lanes().take(threads).fold(LaneMask::EMPTY, |all, lane| all | LaneMask::lane(lane))
    }

    /// All come to an address, where they may run ahead.
    #[inline(always)]
    fn come(&mut self, next: Pc) {
        if self.runs_ahead == 0
            && let Some(BlockSplit { threads, .. }) = self.policy.current()
        {
            self.ahead.come(self.plan, next, threads);
        }
    }
}

impl<C: BlockPolicy> Group for ThreadsOfBlock<'_, '_, C> {
    #[inline(always)]
    fn mask(&self) -> LaneMask {
        self.mask
    }

    #[inline(always)]
    fn formed(&self, chosen: bool, observer: &mut impl Observer) {
        if chosen {
            observer.formed(self.block, self.chosen);
        } else if let Some(split) = self.policy.current() {
            observer.formed(self.block, split.threads);
        }
    }

    #[inline(always)]
    fn choose(&mut self, mut choice: impl FnMut(GroupPart<'_, '_>) -> Result<LaneMask, Why>) -> Result<LaneMask, Halt> {
        self.chosen.clear();
        let Some(split) = self.policy.current() else { return Ok(LaneMask::EMPTY) };
        for WarpPart { warp, lanes } in split.threads.parts() {
            let ResidentWarp { registers, state } = &mut self.warps[warp];
            self.memory.select_warp(warp);
            let part =
                GroupPart { lanes, registers, live: &mut state.live, calls: &mut state.calls, memory: self.memory };
            self.chosen.insert(WarpPart { warp, lanes: choice(part).map_err(|why| (warp, why))? });
        }
        Ok(self.seen())
    }

    #[inline(always)]
    fn choose_holding(&mut self, predicate: u16, when: bool, Ways { target, next, .. }: Ways) -> LaneMask {
        // Those that have run ahead were chosen when they ran.
        if self.runs_ahead == 0
            && let Some(BlockSplit { threads, .. }) = self.policy.current()
        {
            self.chosen.clear();
            for WarpPart { warp, lanes } in threads.parts() {
                let lanes = lanes & holding(&self.warps[warp].registers, predicate, when);
                self.chosen.insert(WarpPart { warp, lanes });
            }
            self.ahead.come(self.plan, target, self.chosen);
            self.rest.set_to_difference(threads, self.chosen);
            self.ahead.come(self.plan, next, self.rest);
        }
        self.seen()
    }

    #[inline(always)]
    fn back(&self) -> Pc {
        let first = self.policy.current().and_then(|split| split.threads.parts().next());
        first.map_or(Pc(0), |part| self.warps[part.warp].state.calls.back(part.lanes))
    }

    #[inline(always)]
    fn advance(&mut self, next: Pc) {
        self.come(next);
        self.policy.advance(next);
    }

    #[inline(always)]
    fn jump(&mut self, kind: JumpKind, target: Pc) {
        self.come(target);
        self.policy.jump(kind, target);
    }

    #[inline(always)]
    fn branch(&mut self, Ways { target, next, meet, leaves }: Ways) {
        self.policy.branch(BlockBranch { taken: self.chosen, target, next, meet, leaves });
    }

    /// Also if all go to one address: other groups at this instruction may part.
    #[inline(always)]
    fn indirect(&mut self, target: Pc, at: Pc, meet: Option<Pc>) {
        self.policy.branch(BlockBranch { taken: self.chosen, target, next: at, meet, leaves: false });
    }

    #[inline(always)]
    fn exit(&mut self) {
        *self.exits += 1;
        self.policy.exit();
    }

    #[inline(always)]
    fn marker(&mut self, marker: Marker, next: Pc) {
        self.policy.marker(marker, next);
    }

    /// No policy of a block knows convergence barriers: no thread takes part in any.
    #[inline(always)]
    fn converge(&mut self, op: Converge, next: Pc) {
        if let Converge::Save { row, .. } = op
            && let Some(split) = self.policy.current()
        {
            for WarpPart { warp, lanes } in split.threads.parts() {
                lanes.lanes().for_each(|lane| *self.warps[warp].registers.wide(row, lane) = 0);
            }
        }
        self.policy.advance(next);
    }

    #[inline(always)]
    fn call(&mut self, target: Pc, back: Pc) {
        self.policy.call(target, back);
    }

    #[inline(always)]
    fn ret(&mut self, back: Pc, at: Pc) {
        self.policy.ret(self.chosen, back, at);
    }

    #[inline(always)]
    fn arrive(&mut self, at: Pc) -> Result<bool, Halt> {
        arrive(self.plan, self.warps, self.memory, self.policy, self.chosen, self.arrivals, at)
    }
}

/// The current threads come to an operation of lanes together; `threads` is to hold them. Returns whether a warp has come to a
/// barrier with it.
fn arrive<C: BlockPolicy>(
    plan: &Plan,
    warps: &mut [ResidentWarp],
    memory: &mut Memory<'_>,
    policy: &mut C,
    threads: &mut ThreadMask,
    arrivals: &mut Vec<usize>,
    at: Pc,
) -> Result<bool, Halt> {
    let Some(split) = policy.current() else { return Ok(false) };
    threads.set_to(split.threads);
    policy.park();
    for WarpPart { warp, lanes } in threads.parts() {
        let ResidentWarp { registers, state } = &mut warps[warp];
        memory.name_warp(warp);
        let holder = &mut OfWarp { policy: &mut *policy, warp };
        let split = WarpSplit { pc: at, mask: lanes };
        let arrived = collective::arrive(plan, registers, state, holder, memory, split);
        if arrived.map_err(|why| (warp, why))? {
            arrivals.push(warp);
        }
    }
    Ok(!arrivals.is_empty())
}

/// Runs a block until all its threads have ended, a warp comes to a barrier, or its turn is over.
///
/// PERF: with vectors, other than the loop of warps: sets of threads are four words, and lanes run once in several issues. It
/// saves 2 to 3 % of the host's instructions.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+popcnt+lzcnt"), dispatcher = "direct")]
pub(super) fn run<C: BlockPolicy, O: Observer>(
    block: Threads<'_, '_>,
    policy: &mut C,
    observer: &mut O,
) -> Result<BlockTurn, Halt> {
    let Threads { plan, block, width, warps, memory, steps, exits, arrivals, ahead, step_limit, turn, limits } = block;
    let pause = steps.saturating_add(turn).min(step_limit);
    let (segments, micros) = (&plan.segments[..], &plan.micros[..]);
    // PERF: kept over the issues.
    let [mut chosen, mut rest] = [ahead.without_threads(), ahead.without_threads()];
    loop {
        let Some(BlockSplit { pc, threads }) = policy.current() else {
            if let Some((warp, broken)) = C::CHECKING.broken(policy) {
                return Err((warp, Why::Check(Box::new(broken.clone()))));
            }
            if warps.iter().all(|warp| warp.state.live.is_empty()) {
                return Ok(BlockTurn::Ended);
            }
            let mut turned = recheck(plan, warps, policy, memory, arrivals)?;
            // With a clock a turn is one instruction, and which threads come next is said later.
            if turn == 0 && turned.is_none() {
                while turned.is_none() {
                    turned = recheck(plan, warps, policy, memory, arrivals)?;
                }
                turned = turned.filter(|turned| !matches!(turned, BlockTurn::Stuck)).or(Some(BlockTurn::Paused));
            }
            match turned {
                Some(turned) => return Ok(turned),
                None => continue,
            }
        };
        let waiting = |warp: usize| warps[warp].state.waiting();
        observer.stands(&BlockMoment { policy: &*policy, block, warps: warps.len(), waiting });
        let segment = &segments[pc.index()];
        let ops = &micros[segment.start as usize..segment.end as usize];
        if segment.ahead == 0 {
            if !ops.is_empty() {
                for WarpPart { warp, lanes } in threads.parts() {
                    let registers = &mut warps[warp].registers;
                    registers.activate(lanes);
                    memory.select_warp(warp);
                    if let Some(LaneFault { place, lane }) = lanes::run(ops, plan, registers, memory) {
                        return Err((warp, Why::Fault { micro: segment.start + place, lane, mask: lanes }));
                    }
                }
            }
        } else {
            // What runs ahead reads and writes registers only, whichever warp's memory is selected.
            ahead.run(plan, segment, threads, |WarpPart { warp, lanes }, branch| {
                let registers = &mut warps[warp].registers;
                registers.activate(lanes);
                let fault = lanes::run(ops, plan, registers, memory);
                debug_assert!(fault.is_none(), "what runs ahead cannot fault");
                branch.map_or(LaneMask::EMPTY, |(predicate, when)| holding(registers, predicate, when))
            });
            ahead.issue(segment.ahead, threads, &mut chosen);
        }
        let mut mask = policy.positions(threads);
        let count = threads.count();
        let is_exact = mask.count() == count;
        if !is_exact {
            mask = LaneMask::first(count.min(width));
        }
        *steps += u64::from(segment.steps);
        let stopped = if *steps > step_limit { threads.parts().next().map_or(0, |part| part.warp) } else { 0 };
        let mut group = ThreadsOfBlock {
            plan,
            block,
            warps,
            memory,
            policy,
            ahead,
            runs_ahead: segment.ahead,
            mask,
            is_exact,
            chosen: &mut chosen,
            rest: &mut rest,
            exits,
            arrivals,
        };
        if control::execute(&mut group, Ran { plan, segment }, &limits, observer)? {
            return Ok(BlockTurn::Arrived);
        }
        // With a clock a turn is one instruction, and which threads come next is said later.
        if *steps > pause && (turn == 0 || policy.current().is_some()) {
            return if *steps > step_limit { Err((stopped, Why::StepLimit)) } else { Ok(BlockTurn::Paused) };
        }
    }
}

/// All threads wait: some may wait at collectives for threads that have ended. Returns the turn's end, unless some go on.
#[cold]
fn recheck<C: BlockPolicy>(
    plan: &Plan,
    warps: &mut [ResidentWarp],
    policy: &mut C,
    memory: &mut Memory<'_>,
    arrivals: &mut Vec<usize>,
) -> Result<Option<BlockTurn>, Halt> {
    for (warp, ResidentWarp { registers, state }) in warps.iter_mut().enumerate() {
        if state.arrived.is_empty() {
            continue;
        }
        memory.name_warp(warp);
        let holder = &mut OfWarp { policy: &mut *policy, warp };
        match collective::recheck(plan, registers, state, holder, memory) {
            Ok(true) => {
                arrivals.push(warp);
                return Ok(Some(BlockTurn::Arrived));
            }
            Ok(false) => return Ok(None),
            Err(Why::WarpDeadlock) => {}
            Err(why) => return Err((warp, why)),
        }
    }
    Ok(Some(BlockTurn::Stuck))
}
