//! From the way a warp stopped to the error that the user gets.

pub(crate) mod fault;
mod lint;
mod livelock;

pub use lint::{ScheduleLint, schedule_lints};
pub(crate) use livelock::{Circle, CyclingWarp, WINDOW, ends_under};

use crate::engine::Launch;
use crate::engine::{Arrival, Misuse, State, TooManyCalls, WarpStop, waits_for};
use crate::engine::{Barriers, ResidentWarp, threads_of};
use crate::error::{
    BarrierProblem, Deadlock, FailedCheck, Fault, FaultKind, LaunchError, Race, SourcePlace, StepLimit, ThreadPlace,
    Wait,
};
use crate::lanes::Registers;
use crate::memory::Memory;
use crate::memory::races::{Event, Found};
use crate::observe::WarpId;
use crate::plan::Plan;
use crate::policy::checked::BrokenCheck;
use crate::policy::{WarpPolicy, WarpSplit};
use simt_core::code::{Code, Inst, Marker, Pc};
use simt_core::program::BarrierOp;
use simt_core::{Constant, LaneMask};
use std::borrow::Cow;

impl Launch<'_> {
    #[cold]
    pub(crate) fn error<P: WarpPolicy>(
        &self,
        stop: WarpStop,
        warp: WarpId,
        state: &State<P>,
        registers: &mut Registers,
        memory: &mut Memory<'_>,
    ) -> LaunchError {
        let code = &self.plan.code;
        match stop {
            WarpStop::Fault { micro, lane, mask } => {
                let lane = lane as usize;
                let kind = match memory.races.as_mut().and_then(|races| races.found()) {
                    Some(found) => FaultKind::Race(Box::new(self.race(found, warp))),
                    None => fault::kind(self.plan, micro, lane, registers, memory, self.grid.blocks()),
                };
                let pc = self.plan.origins[micro as usize];
                self.fault::<P>(kind, warp, lane, mask, pc, state)
            }
            WarpStop::Misuse { misuse, lane, mask, pc } => {
                let operation = operation(code, pc);
                let kind = match misuse {
                    Misuse::NotNamed { mask } => FaultKind::NotNamed { operation, named: LaneMask(mask) },
                    Misuse::FromAbsent { lane } => {
                        FaultKind::AbsentLane { operation, lane: lane as usize, present: mask }
                    }
                    Misuse::NotUniform => FaultKind::Barrier { problem: BarrierProblem::NotUniform },
                };
                self.fault::<P>(kind, warp, lane as usize, mask, pc, state)
            }
            WarpStop::Calls { what, lane, mask, pc } => {
                let kind = match what {
                    TooManyCalls::Depth => FaultKind::CallDepth { limit: self.config.call_depth },
                    TooManyCalls::Memory => FaultKind::CallMemory { limit: self.config.local_memory },
                };
                self.fault::<P>(kind, warp, lane as usize, mask, pc, state)
            }
            WarpStop::Deadlock { splits } => {
                let (waits, others) = self.waits(warp.warp, state, &splits, registers);
                self.deadlock(warp.block, waits, others)
            }
            WarpStop::StepLimit { splits } => self.step_limit(warp, &splits),
            WarpStop::Check(broken) => self.failed_check(*broken, warp, self.policy),
        }
    }

    /// With a clock: the launch has run for as long as it may, and the warp has not ended.
    #[cold]
    pub(crate) fn cycle_limit(&self, limit: u64, warp: WarpId, splits: &[WarpSplit]) -> LaunchError {
        LaunchError::CycleLimit(self.not_ended(limit, warp, splits))
    }

    fn failed_check(&self, broken: BrokenCheck, warp: WarpId, policy: &'static str) -> LaunchError {
        let BrokenCheck { check, asked, ran, lanes, lane_pc, found, splits, tokens } = broken;
        let Plan { code, segments, parts, .. } = self.plan;
        // The policy hears of the last instruction of a segment.
        let last = segments.get(ran.pc.index()).and_then(|segment| parts[..segment.parts.1 as usize].last());
        let pc = last.map_or(ran.pc, |part| Pc(part.at.0 + part.instructions.saturating_sub(1)));
        let lane = lanes.lanes().chain(ran.mask.lanes()).next().unwrap_or(0);
        let threads = threads_of(warp.warp, self.threads, self.config.warp_width);
        let failed = Box::new(FailedCheck {
            check,
            kernel: code.name.clone(),
            policy,
            found,
            pc,
            place: SourcePlace::at(code, pc),
            block: Some(self.grid.blocks().point(warp.block)),
            warp: Some(warp.warp),
            lanes,
            thread: threads.contains(lane).then(|| self.thread(warp, lane)),
            thread_pc: lane_pc,
            executed: ran.mask,
            splits,
            tokens,
            prints: Vec::new(),
            warp_width: self.config.warp_width,
        });
        if asked { LaunchError::Check(failed) } else { LaunchError::Policy(failed) }
    }

    fn race(&self, found: Found, warp: WarpId) -> Race {
        let Found { index, now, earlier, arrived } = found;
        let (code, width) = (&self.plan.code, self.config.warp_width);
        let (Inst::Load { slice, ty, .. } | Inst::Store { slice, ty, .. }) = *code.inst(now.pc) else {
            unreachable!("only loads and stores race");
        };
        let value = |event: Event| event.value.map(|bits| Constant { ty, bits });
        let earlier_warp = WarpId { warp: earlier.thread / width, ..warp };
        Race {
            name: fault::name(code, slice),
            index,
            write: now.write,
            value: value(now),
            earlier_thread: self.thread(earlier_warp, earlier.thread % width),
            earlier_write: earlier.write,
            earlier_value: value(earlier),
            earlier_place: SourcePlace::at(code, earlier.pc),
            same_warp: earlier_warp.warp == warp.warp,
            same_issue: earlier.issue == now.issue,
            earlier_arrived: arrived,
        }
    }

    fn fault<P: WarpPolicy>(
        &self,
        kind: FaultKind,
        warp: WarpId,
        lane: usize,
        active: LaneMask,
        pc: Pc,
        state: &State<P>,
    ) -> LaunchError {
        let code = &self.plan.code;
        LaunchError::Fault(Box::new(Fault {
            kernel: code.name.clone(),
            kind,
            thread: self.thread(warp, lane),
            active,
            policy: self.policy,
            span: code.spans.get(pc.index()).copied().unwrap_or_default(),
            calls: state.calls().of(lane).iter().rev().map(|&call| callee(code, call)).collect(),
            prints: Vec::new(),
            warp_width: self.config.warp_width,
            source: code.source_at(pc).clone(),
        }))
    }

    fn step_limit(&self, warp: WarpId, splits: &[WarpSplit]) -> LaunchError {
        LaunchError::StepLimit(self.not_ended(self.config.step_limit, warp, splits))
    }

    pub(crate) fn not_ended(&self, limit: u64, warp: WarpId, splits: &[WarpSplit]) -> Box<StepLimit> {
        let code = &self.plan.code;
        Box::new(StepLimit {
            kernel: code.name.clone(),
            limit,
            block: self.grid.blocks().point(warp.block),
            warp: warp.warp,
            thread: self.thread(warp, splits.first().and_then(|s| s.mask.lanes().next()).unwrap_or(0)),
            policy: self.policy,
            splits: splits.iter().map(|split| (split.mask, SourcePlace::at(code, split.pc))).collect(),
            prints: Vec::new(),
            warp_width: self.config.warp_width,
        })
    }

    /// A barrier that is used wrongly.
    pub(crate) fn misused_barrier<P: WarpPolicy>(
        &self,
        problem: BarrierProblem,
        warp: WarpId,
        arrival: Arrival,
        state: &State<P>,
    ) -> LaunchError {
        let lane = arrival.lanes.lanes().next().unwrap_or(0);
        self.fault::<P>(FaultKind::Barrier { problem }, warp, lane, arrival.lanes, arrival.pc, state)
    }

    /// No warp of the block can go on.
    pub(crate) fn deadlocked_block<P: WarpPolicy>(
        &self,
        block: usize,
        warps: &mut [ResidentWarp<P>],
        barriers: &Barriers,
    ) -> LaunchError {
        let (mut waits, mut others) = (Vec::new(), Vec::new());
        for (number, warp) in warps.iter_mut().enumerate() {
            let splits = warp.state.splits();
            let (more_waits, more_others) = self.waits(number, &warp.state, &splits, &mut warp.registers);
            waits.extend(more_waits);
            others.extend(more_others);
        }
        for wait in &mut waits {
            wait.arrived = wait.barrier.and_then(|index| barriers.progress(index, warps));
        }
        self.deadlock(block, waits, others)
    }

    fn deadlock(&self, block: usize, waits: Vec<Wait>, others: Vec<(usize, LaneMask, SourcePlace)>) -> LaunchError {
        LaunchError::Deadlock(Box::new(Deadlock {
            kernel: self.plan.code.name.clone(),
            policy: self.policy,
            block: self.grid.blocks().point(block),
            waits,
            others,
            warp_width: self.config.warp_width,
        }))
    }

    /// The lanes of a warp that wait, and the others, each with the address.
    fn waits<P: WarpPolicy>(
        &self,
        warp: usize,
        state: &State<P>,
        splits: &[WarpSplit],
        registers: &mut Registers,
    ) -> (Vec<Wait>, Vec<(usize, LaneMask, SourcePlace)>) {
        let code = &self.plan.code;
        let mut waiting = LaneMask::EMPTY;
        let mut waits = Vec::new();
        for arrived in state.arrived() {
            let missing = waits_for(self.plan, registers, state.live, *arrived).unwrap_or(LaneMask::EMPTY);
            waiting |= arrived.mask;
            let named = match *code.inst(arrived.pc) {
                Inst::Collective { mask: Some(_), .. } => Some(arrived.mask | missing),
                _ => None,
            };
            let place = SourcePlace::at(code, arrived.pc);
            let wait = Wait::new(warp, arrived.mask, operation(code, arrived.pc), place);
            waits.push(Wait { missing, named, ..wait });
        }
        if let Some(arrival) = state.waits_at() {
            waiting |= arrival.lanes;
            let place = SourcePlace::at(code, arrival.pc);
            let wait = Wait::new(warp, arrival.lanes, operation(code, arrival.pc), place);
            waits.push(Wait { barrier: Some(arrival.index), ..wait });
        }
        // Who waits at a convergence barrier goes on behind it.
        for split in splits {
            let behind = split.pc.0.checked_sub(1).map(Pc);
            if let Some((pc, operation)) = behind.and_then(|pc| Some((pc, barrier_operation(code, pc)?)))
                && (split.mask & waiting).is_empty()
            {
                waiting |= split.mask;
                waits.push(Wait::new(warp, split.mask, operation, SourcePlace::at(code, pc)));
            }
        }
        let others = splits.iter().map(|split| (warp, split.mask - waiting, SourcePlace::at(code, split.pc)));
        (waits, others.filter(|(_, lanes, _)| !lanes.is_empty()).collect())
    }

    pub(crate) fn thread(&self, warp: WarpId, lane: usize) -> ThreadPlace {
        let thread = warp.warp * self.config.warp_width + lane;
        ThreadPlace {
            block: self.grid.blocks().point(warp.block),
            thread: self.grid.threads().point(thread),
            global_id: warp.block * self.threads + thread,
            warp: warp.warp,
            lane,
        }
    }
}

/// The name of the function that a call calls.
fn callee(code: &Code, call: Pc) -> Cow<'static, str> {
    match *code.inst(call) {
        Inst::Call { function, .. } => code.functions[function.0 as usize].name.clone(),
        _ => Cow::Borrowed("?"),
    }
}

/// What lanes wait in that go on behind an address, if it is a marker that they wait at. Where a `warpsync` stands for a
/// barrier of the block, that is meant.
fn barrier_operation(code: &Code, pc: Pc) -> Option<&'static str> {
    match (code.inst(pc), code.insts.get(pc.index() + 1)) {
        (Inst::Marker(Marker::BarrierSync(_)), _) => Some("bsync"),
        (Inst::Marker(Marker::WarpSync(_)), Some(Inst::Barrier { .. })) => Some(operation(code, pc.next())),
        (Inst::Marker(Marker::WarpSync(_)), _) => Some("warpsync"),
        _ => None,
    }
}

/// What lanes wait in.
fn operation(code: &Code, pc: Pc) -> &'static str {
    match *code.inst(pc) {
        Inst::Collective { op, .. } => op.name(),
        Inst::Barrier { op: BarrierOp::Arrive, .. } => "arrive_barrier",
        Inst::Barrier { index: Some(_), .. } => "sync_barrier",
        _ => "sync_threads",
    }
}
