//! The flow of a block whose policy regroups threads: the loop of `flow::run`, with parts of several warps in place of one
//! warp's lanes.
//!
//! Registers stay where they are. What issues together runs warp by warp, each for its lanes that take part.

use super::collective::{self, Holder};
use super::{Arrival, CallLimits, WarpStop};
use crate::block::ResidentWarp;
use crate::lanes::{self, Control, Converge, LaneFault, Plan};
use crate::memory::Memory;
use crate::observe::{Observer, Ran};
use crate::policy::{ByWarp, CoreBranch, CorePolicy, CoreSplit, WarpPart, WarpSplit};
use multiversion::multiversion;
use multiversion::target::match_target;
use simt_core::LaneMask;
use simt_core::code::Pc;
use smallvec::SmallVec;

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

impl<C: CorePolicy> Holder for OfWarp<'_, C> {
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
pub(crate) fn run<C: CorePolicy, O: Observer>(
    core: Core<'_, '_, C>,
    policy: &mut C,
    observer: &mut O,
) -> Result<CoreTurn, CoreStop> {
    let Core { plan, block, width, warps, memory, steps, arrivals, step_limit, turn, calls } = core;
    let pause = steps.saturating_add(turn).min(step_limit);
    let (segments, micros, extended) = (&plan.segments[..], &plan.micros[..], &plan.extended[..]);
    // PERF: kept over the issues.
    let mut taken: SmallVec<[LaneMask; 64]> = SmallVec::new();
    let mut present: SmallVec<[WarpPart; 64]> = SmallVec::new();
    loop {
        let Some(CoreSplit { pc, parts }) = policy.current() else {
            if let Some((warp, broken)) = policy.broken() {
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
        let (mut mask, mut threads, mut first) = (LaneMask::EMPTY, 0, 0);
        for &part in parts {
            let registers = &mut warps[part.warp].registers;
            if registers.mask.bits != part.lanes.0 {
                registers.activate(part.lanes);
            }
            mask |= policy.positions(part);
            threads += part.lanes.count();
            if threads == part.lanes.count() {
                first = part.warp;
            }
            if ops.is_empty() {
                continue;
            }
            memory.select_warp(part.warp);
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
                return Err((part.warp, WarpStop::Fault { micro: segment.start + place, lane, mask: part.lanes }));
            }
        }
        if mask.count() != threads {
            // Threads of one home lane issue together, each from another SIMD lane.
            mask = LaneMask::first(threads.min(width));
        }
        *steps += u64::from(segment.instructions.max(1));
        // Of an indirect branch and of a return only those count as executing it that go to the same address.
        if !matches!(segment.control, Control::Indirect { .. } | Control::Return) {
            observer.formed(block, parts);
        }
        let ran = Ran { plan, segment };
        match segment.control {
            Control::Next(next) => {
                observer.ran(ran, mask, LaneMask::EMPTY);
                policy.advance(next);
            }
            Control::Jump { target, kind } => {
                observer.ran(ran, mask, LaneMask::EMPTY);
                policy.jump(kind, target);
            }
            Control::Branch { predicate, when, target, next, meet, leaves } => {
                let takes = |part: &WarpPart| {
                    let holds = warps[part.warp].registers.predicates[predicate as usize];
                    part.lanes & LaneMask(if when { holds } else { !holds })
                };
                taken.clear();
                taken.extend(parts.iter().map(takes));
                observer.ran(ran, mask, seen(policy, parts, &taken, mask));
                policy.branch(CoreBranch { taken: &taken, target, next, meet, leaves });
            }
            Control::Exit => {
                observer.ran(ran, mask, LaneMask::EMPTY);
                for part in parts {
                    let live = &mut warps[part.warp].state.live;
                    *live = *live - part.lanes;
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
                    for part in parts {
                        let registers = &mut warps[part.warp].registers;
                        part.lanes.lanes().for_each(|lane| *registers.wide(row, lane) = 0);
                    }
                }
                policy.advance(next);
            }
            Control::Indirect { index, table, at, meet } => {
                let mut target = None;
                taken.clear();
                for part in parts {
                    let registers = &mut warps[part.warp].registers;
                    taken.push(super::targets(plan, registers, part.lanes, index, table, &mut target));
                }
                let target = target.unwrap_or(Pc(0));
                some(parts, &taken, &mut present);
                observer.formed(block, &present);
                let seen = seen(policy, parts, &taken, mask);
                observer.ran(ran, seen, LaneMask::EMPTY);
                observer.branched(at, seen, mask - seen);
                policy.branch(CoreBranch { taken: &taken, target, next: at, meet, leaves: false });
            }
            Control::Call { target, back } => {
                observer.ran(ran, mask, LaneMask::EMPTY);
                for part in parts {
                    let ResidentWarp { registers, state } = &mut warps[part.warp];
                    memory.select_warp(part.warp);
                    if let Some((lane, what)) = state.calls.call(plan, registers, memory, part.lanes, back, calls) {
                        let stop = WarpStop::Calls { what, lane, mask: part.lanes, pc: Pc(back.0 - 1) };
                        return Err((part.warp, stop));
                    }
                }
                policy.call(target, back);
            }
            Control::Return => {
                let back = warps[first].state.calls.back(parts.first().map_or(LaneMask::EMPTY, |part| part.lanes));
                taken.clear();
                for part in parts {
                    let ResidentWarp { registers, state } = &mut warps[part.warp];
                    memory.select_warp(part.warp);
                    taken.push(state.calls.ret(plan, registers, memory, part.lanes, back));
                }
                some(parts, &taken, &mut present);
                observer.formed(block, &present);
                observer.ran(ran, seen(policy, parts, &taken, mask), LaneMask::EMPTY);
                policy.ret(&taken, back, pc);
            }
            Control::Collective { .. } | Control::Barrier { .. } => {
                observer.ran(ran, mask, LaneMask::EMPTY);
                present.clear();
                present.extend_from_slice(parts);
                policy.park();
                for part in &present {
                    let ResidentWarp { registers, state } = &mut warps[part.warp];
                    memory.name_warp(part.warp);
                    let holder = &mut OfWarp { policy: &mut *policy, warp: part.warp };
                    let split = WarpSplit { pc, mask: part.lanes };
                    let arrived = collective::arrive(plan, registers, state, holder, memory, split);
                    arrivals.extend(arrived.map_err(|stop| (part.warp, stop))?.map(|arrival| (part.warp, arrival)));
                }
            }
        }
        if !arrivals.is_empty() {
            return Ok(CoreTurn::Arrived);
        }
        // With a clock a turn is one instruction, and who comes next is said later.
        if *steps > pause && (turn == 0 || policy.current().is_some()) {
            return if *steps > step_limit {
                let splits = ByWarp::of(policy, first).splits();
                Err((first, WarpStop::StepLimit { splits }))
            } else {
                Ok(CoreTurn::Paused)
            };
        }
    }
}

/// Some of the threads of parts.
fn some(parts: &[WarpPart], lanes: &[LaneMask], some: &mut SmallVec<[WarpPart; 64]>) {
    some.clear();
    let of_part = |(part, &lanes): (&WarpPart, &LaneMask)| (!lanes.is_empty()).then_some(WarpPart { lanes, ..*part });
    some.extend(parts.iter().zip(lanes).filter_map(of_part));
}

/// The SIMD lanes of some of the threads that issue.
#[inline(always)]
fn seen<C: CorePolicy>(policy: &C, parts: &[WarpPart], some: &[LaneMask], mask: LaneMask) -> LaneMask {
    let threads: usize = some.iter().map(|lanes| lanes.count()).sum();
    let positions = parts.iter().zip(some).map(|(part, &lanes)| policy.positions(WarpPart { lanes, ..*part }));
    let exact = positions.fold(LaneMask::EMPTY, |all, lanes| all | lanes);
    if exact.count() == threads && exact.is_subset(mask) {
        return exact;
    }
    mask.lanes().take(threads).fold(LaneMask::EMPTY, |all, lane| all | LaneMask::lane(lane))
}

/// All threads wait: some may wait at collectives for threads that have ended. Gives the turn's end, unless some go on.
#[cold]
fn recheck<C: CorePolicy>(
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
