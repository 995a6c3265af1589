//! The flow of a block whose policy regroups threads: the loop of `flow::run`, with parts of several warps in place of one
//! warp's lanes.
//!
//! Registers stay where they are. What issues together runs warp by warp, each for its lanes that take part; where nobody can
//! tell, other lanes come along (`ahead`).

use super::collective::{self, Holder};
use super::run_ahead::Ahead;
use super::{Arrival, CallLimits, WarpStop};
use crate::engine::ResidentWarp;
use crate::lanes::{self, LaneFault};
use crate::memory::Memory;
use crate::observe::{Observer, Ran};
use crate::plan::{Control, Converge, Plan};
use crate::policy::{BlockBranch, BlockPolicy, BlockSplit, ByWarp, ThreadMask, WarpPart, WarpSplit};
use multiversion::multiversion;
use multiversion::target::match_target;
use simt_core::LaneMask;
use simt_core::code::Pc;

/// What a block runs on.
pub(crate) struct Core<'c, 'a, C> {
    pub(crate) plan: &'c Plan,
    pub(crate) block: usize,
    pub(crate) width: usize,
    pub(crate) warps: &'c mut [ResidentWarp<ByWarp<C>>],
    pub(crate) memory: &'c mut Memory<'a>,
    pub(crate) steps: &'c mut u64,
    /// The warps that have arrived at barriers in this turn.
    pub(crate) arrivals: &'c mut Vec<(usize, Arrival)>,
    pub(crate) step_limit: u64,
    pub(crate) ahead: &'c mut Ahead,
    /// How many instructions it may issue before it is looked at.
    pub(crate) turn: u64,
    pub(crate) calls: CallLimits,
}

/// How a block came back.
#[allow(clippy::large_enum_variant, reason = "it is made once a turn, and lives as long as it takes to look at it")]
pub(crate) enum CoreTurn {
    /// All its threads have ended.
    Ended,
    /// Warps have arrived at barriers: the `arrivals` of the core.
    Arrived,
    /// All threads wait, and no collective of a warp is complete.
    Stuck,
    /// It has run for long enough.
    Paused,
}

/// The lanes of one warp of the block. None is ever current: the core's policy parks those that come to a collective
/// before anything else.
struct OfWarp<'p, C> {
    policy: &'p mut C,
    warp: usize,
}

impl<C: BlockPolicy> Holder for OfWarp<'_, C> {
    fn active(&self) -> LaneMask {
        LaneMask::EMPTY
    }
    fn proceed(&mut self, _next: Pc) {}
    fn park(&mut self) -> bool {
        true
    }
    fn wake(&mut self, lanes: LaneMask, next: Pc) {
        self.policy.wake(WarpPart { warp: self.warp, lanes }, next);
    }
    fn splits(&self) -> Vec<WarpSplit> {
        ByWarp::of(&*self.policy, self.warp).splits()
    }
}

/// Why a block stopped, and in which warp.
type CoreStop = (usize, WarpStop);

/// Runs a block until all its threads have ended, a warp comes to a barrier, or its turn is over.
#[multiversion(targets("x86_64+avx2+fma+bmi1+bmi2+popcnt+lzcnt"), dispatcher = "direct")]
pub(crate) fn run<C: BlockPolicy, O: Observer>(
    core: Core<'_, '_, C>,
    policy: &mut C,
    observer: &mut O,
) -> Result<CoreTurn, CoreStop> {
    let Core { plan, block, width, warps, memory, steps, arrivals, ahead, step_limit, turn, calls } = core;
    let pause = steps.saturating_add(turn).min(step_limit);
    let (segments, micros, extended) = (&plan.segments[..], &plan.micros[..], &plan.extended[..]);
    // PERF: kept over the issues.
    let [mut taken, mut rest, mut parked] = [ahead.nobody(), ahead.nobody(), ahead.nobody()];
    loop {
        let Some(BlockSplit { pc, threads }) = policy.current() else {
            if let Some((warp, broken)) = C::CHECKING.broken(policy) {
                return Err((warp, WarpStop::Check(Box::new(broken.clone()))));
            }
            if warps.iter().all(|warp| warp.state.live.is_empty()) {
                return Ok(CoreTurn::Ended);
            }
            match recheck(plan, warps, policy, memory, arrivals)? {
                Some(turn) => return Ok(turn),
                None => continue,
            }
        };
        let segment = &segments[pc.index()];
        let ops = &micros[segment.start as usize..segment.end as usize];
        let running = if segment.ahead == 0 { threads } else { ahead.begin(segment.ahead, threads) };
        if !ops.is_empty() && !running.is_empty() {
            for WarpPart { warp, lanes } in running.parts() {
                let registers = &mut warps[warp].registers;
                if registers.mask.bits != lanes.0 {
                    registers.activate(lanes);
                }
                memory.select_warp(warp);
                let fault = match_target! {
                    "x86_64+avx2+fma+bmi1+bmi2+popcnt+lzcnt" => {
                        if registers.are_few {
                            lanes::run_32_avx2(ops, extended, registers, memory)
                        } else {
                            lanes::run_any_avx2(ops, extended, registers, memory)
                        }
                    },
                    _ => lanes::run_any_portable(ops, extended, registers, memory),
                };
                if let Some(LaneFault { place, lane }) = fault {
                    return Err((warp, WarpStop::Fault { micro: segment.start + place, lane, mask: lanes }));
                }
            }
        }
        if segment.ahead != 0 {
            if !running.is_empty() {
                ahead.ran(plan, segment, |warp, predicate, when| holds(&warps[warp], predicate, when));
            }
            ahead.issue(segment.ahead, threads, &mut taken);
        }
        let mut mask = policy.positions(threads);
        let count = threads.count();
        let is_exact = mask.count() == count;
        if !is_exact {
            // Threads of one home lane issue together, each from another SIMD lane.
            mask = LaneMask::first(count.min(width));
        }
        *steps += u64::from(segment.instructions.max(1));
        let first_warp = |threads: &ThreadMask| threads.parts().next().map_or(0, |part| part.warp);
        let stopped = if *steps > step_limit { first_warp(threads) } else { 0 };
        // Of an indirect branch and of a return only those count as executing it that go to the same address.
        if !matches!(segment.control, Control::Indirect { .. } | Control::Return) {
            observer.formed(block, threads);
        }
        let ran = Ran { plan, segment };
        match segment.control {
            Control::Next(next) => {
                observer.ran(ran, mask, LaneMask::EMPTY);
                if segment.ahead == 0 {
                    ahead.come(plan, next, threads);
                }
                policy.advance(next);
            }
            Control::Jump { target, kind } => {
                observer.ran(ran, mask, LaneMask::EMPTY);
                if segment.ahead == 0 {
                    ahead.come(plan, target, threads);
                }
                policy.jump(kind, target);
            }
            Control::Branch { predicate, when, target, next, meet, leaves } => {
                if segment.ahead == 0 {
                    taken.clear();
                    for WarpPart { warp, lanes } in threads.parts() {
                        taken.insert(WarpPart { warp, lanes: lanes & holds(&warps[warp], predicate, when) });
                    }
                    ahead.come(plan, target, &taken);
                    rest.set_to_difference(threads, &taken);
                    ahead.come(plan, next, &rest);
                }
                observer.ran(ran, mask, seen(policy, &taken, mask, is_exact));
                policy.branch(BlockBranch { taken: &taken, target, next, meet, leaves });
            }
            Control::Exit => {
                observer.ran(ran, mask, LaneMask::EMPTY);
                for WarpPart { warp, lanes } in threads.parts() {
                    let live = &mut warps[warp].state.live;
                    *live = *live - lanes;
                }
                policy.exit();
            }
            Control::Marker { marker, next } => {
                observer.ran(ran, mask, LaneMask::EMPTY);
                policy.marker(marker, next);
            }
            Control::Converge { op, next } => {
                observer.ran(ran, mask, LaneMask::EMPTY);
                // No policy of a core knows convergence barriers: nobody takes part in any.
                if let Converge::Save { row, .. } = op {
                    for WarpPart { warp, lanes } in threads.parts() {
                        lanes.lanes().for_each(|lane| *warps[warp].registers.wide(row, lane) = 0);
                    }
                }
                policy.advance(next);
            }
            Control::Indirect { index, table, at, meet } => {
                let mut target = None;
                taken.clear();
                for WarpPart { warp, lanes } in threads.parts() {
                    let lanes =
                        super::warp_loop::targets(plan, &mut warps[warp].registers, lanes, index, table, &mut target);
                    taken.insert(WarpPart { warp, lanes });
                }
                let target = target.unwrap_or(Pc(0));
                observer.formed(block, &taken);
                let seen = seen(policy, &taken, mask, is_exact);
                observer.ran(ran, seen, LaneMask::EMPTY);
                observer.branched(at, seen, mask - seen);
                policy.branch(BlockBranch { taken: &taken, target, next: at, meet, leaves: false });
            }
            Control::Call { target, back } => {
                observer.ran(ran, mask, LaneMask::EMPTY);
                for WarpPart { warp, lanes } in threads.parts() {
                    let ResidentWarp { registers, state } = &mut warps[warp];
                    memory.select_warp(warp);
                    if let Some((lane, what)) = state.calls.call(plan, registers, memory, lanes, back, calls) {
                        let stop = WarpStop::Calls { what, lane, mask: lanes, pc: Pc(back.0 - 1) };
                        return Err((warp, stop));
                    }
                }
                policy.call(target, back);
            }
            Control::Return => {
                let first = first_warp(threads);
                let back = warps[first].state.calls.back(threads.of_warp(first));
                taken.clear();
                for WarpPart { warp, lanes } in threads.parts() {
                    let ResidentWarp { registers, state } = &mut warps[warp];
                    memory.select_warp(warp);
                    let lanes = state.calls.ret(plan, registers, memory, lanes, back);
                    taken.insert(WarpPart { warp, lanes });
                }
                observer.formed(block, &taken);
                observer.ran(ran, seen(policy, &taken, mask, is_exact), LaneMask::EMPTY);
                policy.ret(&taken, back, pc);
            }
            Control::Collective { .. } | Control::Barrier { .. } => {
                observer.ran(ran, mask, LaneMask::EMPTY);
                parked.set_to(threads);
                policy.park();
                for WarpPart { warp, lanes } in parked.parts() {
                    let ResidentWarp { registers, state } = &mut warps[warp];
                    memory.name_warp(warp);
                    let holder = &mut OfWarp { policy: &mut *policy, warp };
                    let arrived =
                        collective::arrive(plan, registers, state, holder, memory, WarpSplit { pc, mask: lanes });
                    arrivals.extend(arrived.map_err(|stop| (warp, stop))?.map(|arrival| (warp, arrival)));
                }
            }
        }
        if !arrivals.is_empty() {
            return Ok(CoreTurn::Arrived);
        }
        // With a clock a turn is one instruction, and who comes next is said later.
        if *steps > pause && (turn == 0 || policy.current().is_some()) {
            return if *steps > step_limit {
                let splits = ByWarp::of(policy, stopped).splits();
                Err((stopped, WarpStop::StepLimit { splits }))
            } else {
                Ok(CoreTurn::Paused)
            };
        }
    }
}

/// The lanes of a warp for which the predicate of a branch has the value that takes it.
#[inline(always)]
fn holds<P>(warp: &ResidentWarp<P>, predicate: u16, when: bool) -> LaneMask {
    let holds = warp.registers.predicates[predicate as usize];
    LaneMask(if when { holds } else { !holds })
}

/// The SIMD lanes of some of the threads that issue. The lanes of all are those of the mask, and exactly theirs unless there
/// are threads of one home lane.
#[inline(always)]
fn seen<C: BlockPolicy>(policy: &C, some: &ThreadMask, mask: LaneMask, is_exact: bool) -> LaneMask {
    if is_exact {
        return policy.positions(some);
    }
    let (exact, threads) = (policy.positions(some), some.count());
    if exact.count() == threads && exact.is_subset(mask) {
        return exact;
    }
    mask.lanes().take(threads).fold(LaneMask::EMPTY, |all, lane| all | LaneMask::lane(lane))
}

/// All threads wait: some may wait at collectives for threads that have ended. Gives the turn's end, unless some go on.
#[cold]
fn recheck<C: BlockPolicy>(
    plan: &Plan,
    warps: &mut [ResidentWarp<ByWarp<C>>],
    policy: &mut C,
    memory: &mut Memory<'_>,
    arrivals: &mut Vec<(usize, Arrival)>,
) -> Result<Option<CoreTurn>, CoreStop> {
    for (warp, ResidentWarp { registers, state }) in warps.iter_mut().enumerate() {
        if state.arrived.is_empty() {
            continue;
        }
        memory.name_warp(warp);
        let holder = &mut OfWarp { policy: &mut *policy, warp };
        match collective::recheck(plan, registers, state, holder, memory) {
            Ok(Some(arrival)) => {
                arrivals.push((warp, arrival));
                return Ok(Some(CoreTurn::Arrived));
            }
            Ok(None) => return Ok(None),
            Err(WarpStop::Deadlock { .. }) => {}
            Err(stop) => return Err((warp, stop)),
        }
    }
    Ok(Some(CoreTurn::Stuck))
}
