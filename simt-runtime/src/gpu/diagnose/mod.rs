//! What stopped a launch, as the error that the user gets.
//!
//! * `fault`: what a lane did that has no meaning; `livelock`: which lanes spin, on what; `deadlock`: which wait for what;
//! * `calls`: the functions that threads were in;
//! * `elsewhere`: the policies under which a launch ends that does not end here;
//! * `lint`: loops that may hang, found without a launch.

mod calls;
mod deadlock;
mod elsewhere;
pub(crate) mod fault;
mod lint;
mod livelock;

pub use lint::{ScheduleLint, schedule_lints};

use self::calls::{add_lanes, called, callee};
use super::kernel::Kernel;
use crate::engine::{BarrierProblem, Launch, Misuse, Spent, Stopped, TooManyCalls, Why};
use crate::environment::Stuck;
use crate::error::{Called, FailedCheck, Fault, FaultKind, LaunchError, Race, SourcePlace, StepLimit, ThreadPlace};
use crate::memory::Memory;
use crate::memory::races::{Event, Found};
use crate::memory::spaces::resolve;
use crate::observe::WarpId;
use crate::plan::Plan;
use crate::policy::checked::BrokenCheck;
use simt_core::code::{AddressSpace, Code, Inst, Pc};
use simt_core::ops::AtomicOp;
use simt_core::program::{self, AtomicOrder, BarrierOp, CollectiveOp, LoadAccess, StoreAccess};
use simt_core::{Constant, LaneMask};

/// The error for a launch that has stopped. The memory of its block is as it was then.
#[cold]
pub(super) fn diagnose(
    mut stopped: Stopped,
    kernel: &Kernel,
    launch: &Launch<'_>,
    memory: &mut Memory<'_>,
) -> LaunchError {
    let mut error = error(&mut stopped, launch, memory);
    error.printed(&memory.prints, launch.threads);
    let ends_under = match &mut error {
        LaunchError::Livelock(livelock) => Some(&mut livelock.ends_under),
        LaunchError::Deadlock(deadlock) => Some(&mut deadlock.ends_under),
        _ => None,
    };
    if let Some(policies) = ends_under {
        *policies = elsewhere::ends_under(kernel, launch, memory);
    }
    error
}

/// The error for a launch in which no rule of the memory environment applied.
pub(super) fn stuck(stuck: Stuck, launch: &Launch<'_>, memory: &Memory<'_>) -> LaunchError {
    let mut error = LaunchError::Memory { kernel: launch.plan.code.name.clone(), stuck };
    error.printed(&memory.prints, launch.threads);
    error
}

fn error(stopped: &mut Stopped, launch: &Launch<'_>, memory: &mut Memory<'_>) -> LaunchError {
    match stopped.why.clone() {
        Why::Deadlock => deadlock::of_block(stopped, launch),
        Why::WarpDeadlock => deadlock::of_warp(stopped, launch),
        Why::Livelock { circles, proof } => livelock::livelock(stopped, &circles, proof, launch, memory),
        Why::StepLimit => LaunchError::StepLimit(not_ended(launch.config.step_limit, stopped, launch)),
        Why::CycleLimit(limit) => LaunchError::CycleLimit(not_ended(limit, stopped, launch)),
        Why::Spent(Spent::Time(limit)) => LaunchError::TimeLimit(not_ended(limit, stopped, launch)),
        Why::Spent(Spent::Work(limit) | Spent::WithoutProgress { work: limit, .. }) => {
            LaunchError::WorkLimit(not_ended(limit, stopped, launch))
        }
        Why::Memory(stuck) => LaunchError::Memory { kernel: launch.plan.code.name.clone(), stuck },
        Why::Check(broken) => failed_check(*broken, place(stopped), launch),
        Why::Fault { micro, lane, mask } => {
            let registers = &stopped.warp().registers;
            let kind = match memory.races.as_mut().and_then(|races| races.found()) {
                Some(found) => FaultKind::Race(Box::new(race(found, stopped, launch, memory))),
                None => fault::kind(launch.plan, micro, lane as usize, registers, memory, launch.grid.blocks()),
            };
            faulted(kind, stopped, lane, mask, launch.plan.origins[micro as usize].pc, launch)
        }
        Why::Misuse { misuse, lane, mask, pc } => {
            let operation = operation(&launch.plan.code, pc);
            let kind = match misuse {
                Misuse::NotNamed { mask } => FaultKind::NotNamed { operation, named: LaneMask(mask) },
                Misuse::FromAbsent { lane } => FaultKind::AbsentLane { operation, lane: lane as usize, present: mask },
                Misuse::NotUniform => FaultKind::Barrier { problem: BarrierProblem::NotUniform },
            };
            faulted(kind, stopped, lane, mask, pc, launch)
        }
        Why::Barrier { problem, arrival } => {
            let lane = arrival.lanes.lanes().next().unwrap_or(0) as u32;
            faulted(FaultKind::Barrier { problem }, stopped, lane, arrival.lanes, arrival.pc, launch)
        }
        Why::Calls { what, lane, mask, pc } => {
            let kind = match what {
                TooManyCalls::Depth => FaultKind::CallDepth { limit: launch.config.call_depth },
                TooManyCalls::Memory => FaultKind::CallMemory { limit: launch.config.local_memory },
            };
            faulted(kind, stopped, lane, mask, pc, launch)
        }
    }
}

fn faulted(
    kind: FaultKind,
    stopped: &Stopped,
    lane: u32,
    active: LaneMask,
    pc: Pc,
    launch: &Launch<'_>,
) -> LaunchError {
    let (code, lane) = (&launch.plan.code, lane as usize);
    let calls = stopped.warp().calls.of(lane);
    LaunchError::Fault(Box::new(Fault {
        kernel: code.name.clone(),
        kind,
        thread: thread(place(stopped), lane, launch),
        active,
        policy: launch.policy,
        pc,
        span: code.spans.get(pc.index()).copied().unwrap_or_default(),
        calls: calls.iter().rev().map(|&call| callee(code, call)).collect(),
        called: called(code, &calls),
        prints: Vec::new(),
        given: code.inst(pc).memory().filter(|&memory| is_dynamic(code, memory)).map(|_| launch.plan.shared_memory),
        is_own: code.inst(pc).memory().is_some_and(|memory| is_local(code, memory)),
        row: code.inst(pc).memory().map_or(1, |memory| fault::row(code, memory)),
        is_array: matches!(code.inst(pc).memory(), Some(program::Memory::Array(_))),
        returned: if launch.plan.is_cooperative() { returned(stopped, launch) } else { 0 },
        warp_width: launch.config.warp_width,
        source: code.source_at(pc).clone(),
    }))
}

/// How many threads of the block had returned.
fn returned(stopped: &Stopped, launch: &Launch<'_>) -> usize {
    stopped.warps.iter().map(|warp| (launch.threads_of(warp.number) - warp.live).count()).sum()
}

/// Whether the launch says the length of an array.
fn is_dynamic(code: &Code, memory: program::Memory) -> bool {
    matches!(memory, program::Memory::Array(array) if code.arrays[array.0 as usize].dynamic)
}

/// Whether each thread has an array for itself.
fn is_local(code: &Code, memory: program::Memory) -> bool {
    matches!(memory, program::Memory::Array(array) if code.arrays[array.0 as usize].space == program::ArraySpace::Local)
}

fn failed_check(broken: BrokenCheck, warp: WarpId, launch: &Launch<'_>) -> LaunchError {
    let BrokenCheck { check, asked, ran, lanes, lane_pc, found, splits, tokens } = broken;
    let Plan { code, segments, parts, .. } = launch.plan;
    // The policy hears of the last instruction of a segment.
    let last = segments.get(ran.pc.index()).and_then(|segment| parts[..segment.parts.1 as usize].last());
    let pc = last.map_or(ran.pc, |part| Pc(part.at.0 + part.instructions.saturating_sub(1)));
    let lane = lanes.lanes().chain(ran.mask.lanes()).next().unwrap_or(0);
    let threads = launch.threads_of(warp.warp);
    let failed = Box::new(FailedCheck {
        check,
        kernel: code.name.clone(),
        policy: launch.policy,
        found,
        pc,
        place: SourcePlace::at(code, pc),
        block: Some(launch.grid.blocks().point(warp.block)),
        warp: Some(warp.warp),
        lanes,
        thread: threads.contains(lane).then(|| thread(warp, lane, launch)),
        thread_pc: lane_pc,
        executed: ran.mask,
        splits,
        tokens,
        prints: Vec::new(),
        warp_width: launch.config.warp_width,
    });
    if asked { LaunchError::Check(failed) } else { LaunchError::Policy(failed) }
}

fn race(found: Found, stopped: &Stopped, launch: &Launch<'_>, memory: &Memory<'_>) -> Race {
    let (Found { index, now, earlier, other_block, arrived, unawaited, released }, warp) = (found, place(stopped));
    let (code, width) = (&launch.plan.code, launch.config.warp_width);
    let (name, ty) = match *code.inst(now.pc) {
        Inst::Load { slice, ty, .. } | Inst::Store { slice, ty, .. } => (fault::name(code, slice), Some(ty)),
        Inst::LoadAt { .. } | Inst::StoreAt { .. } | Inst::AtomicAt { .. } => {
            (AddressSpace::of(index as u64).name().into(), None)
        }
        _ => unreachable!("only accesses race"),
    };
    let is_atomic = |event: Event| matches!(code.inst(event.pc), Inst::AtomicAt { .. });
    // By address, a byte is known and not the whole value.
    let value = |event: Event| event.value.and_then(|bits| Some(Constant { ty: ty?, bits }));
    let earlier_thread = earlier.thread as usize;
    let earlier_warp = WarpId { warp: earlier_thread / width, block: other_block.unwrap_or(warp.block) };
    let earlier_stands = stopped.warps.iter().find(|warp| warp.number == earlier_warp.warp);
    let has_ended = earlier_stands.is_some_and(|warp| !warp.live.contains(earlier_thread % width));
    let is_relaxed = |inst: &Inst| {
        use AtomicOp::{CompareExchange, Load, Store, Swap};
        match inst {
            // By address also one whose result is used: a counter that says which thread is the last.
            Inst::AtomicAt { dst: Some(_), order: AtomicOrder::Relaxed, .. } => true,
            Inst::Atomic { op, order, .. } | Inst::AtomicAt { op, order, .. } => {
                matches!(op, Load | Store | Swap | CompareExchange) && *order == AtomicOrder::Relaxed
            }
            _ => false,
        }
    };
    let is_volatile = |pc: Pc| match code.inst(pc) {
        Inst::LoadAt { access, .. } => *access == LoadAccess::Volatile,
        Inst::StoreAt { access, .. } => *access == StoreAccess::Volatile,
        _ => false,
    };
    let (space, address) = resolve(AddressSpace::Generic, index as u64);
    Race {
        name,
        index: if ty.is_some() { index } else { address as usize },
        by_address: ty.is_none(),
        lies_in: memory.spaces.as_ref().filter(|_| ty.is_none()).and_then(|spaces| spaces.lies_in(space, address)),
        write: now.write,
        value: value(now),
        earlier_thread: thread(earlier_warp, earlier_thread % width, launch),
        earlier_write: earlier.write,
        earlier_value: value(earlier),
        earlier_place: SourcePlace::at(code, earlier.pc),
        same_block: other_block.is_none(),
        same_warp: earlier_warp == warp,
        same_issue: other_block.is_none() && earlier.issue == now.issue,
        earlier_arrived: arrived,
        earlier_returned: (has_ended || other_block.is_some()) && unawaited && !arrived,
        earlier_released: released,
        atomic: is_atomic(now),
        earlier_atomic: is_atomic(earlier),
        volatile: is_volatile(now.pc) && is_volatile(earlier.pc),
        relaxed: code.insts.iter().any(is_relaxed) || (0..code.insts.len()).any(|pc| is_volatile(Pc(pc as u32))),
    }
}

/// Where a warp is that has not ended.
fn not_ended(limit: u64, stopped: &Stopped, launch: &Launch<'_>) -> Box<StepLimit> {
    let (code, warp, splits) = (&launch.plan.code, place(stopped), &stopped.warp().splits);
    let lane = splits.first().and_then(|split| split.mask.lanes().next()).unwrap_or(0);
    let mut called = Called::new();
    splits.iter().for_each(|split| add_lanes(&mut called, code, stopped.warp(), split.mask));
    Box::new(StepLimit {
        kernel: code.name.clone(),
        limit,
        block: launch.grid.blocks().point(warp.block),
        warp: warp.warp,
        thread: thread(warp, lane, launch),
        policy: launch.policy,
        splits: splits.iter().map(|split| (split.mask, SourcePlace::at(code, split.pc))).collect(),
        called,
        prints: Vec::new(),
        warp_width: launch.config.warp_width,
    })
}

/// The warp that is named.
fn place(stopped: &Stopped) -> WarpId {
    WarpId { block: stopped.block, warp: stopped.warp().number }
}

fn thread(warp: WarpId, lane: usize, launch: &Launch<'_>) -> ThreadPlace {
    let thread = warp.warp * launch.config.warp_width + lane;
    ThreadPlace {
        block: launch.grid.blocks().point(warp.block),
        thread: launch.grid.threads().point(thread),
        global_id: warp.block * launch.threads + thread,
        warp: warp.warp,
        lane,
    }
}

/// What lanes wait in at the barrier of the grid.
const GRID_OPERATION: &str = "sync_grid";

/// What lanes wait in: in PTX's words of code that has memory by address.
fn operation(code: &Code, pc: Pc) -> &'static str {
    let inst = code.inst(pc);
    if code.insts.iter().any(|inst| inst.address().is_some()) {
        return operation_of_ptx(inst);
    }
    match *inst {
        Inst::Collective { op, .. } => op.name(),
        Inst::Barrier { op: BarrierOp::Arrive, .. } => "arrive_barrier",
        Inst::Barrier { op: BarrierOp::Grid, .. } => GRID_OPERATION,
        Inst::Barrier { index: Some(_), .. } | Inst::Barrier { threads: Some(_), .. } => "sync_barrier",
        _ => "sync_threads",
    }
}

fn operation_of_ptx(inst: &Inst) -> &'static str {
    let Inst::Collective { op, .. } = *inst else {
        return match inst {
            Inst::Barrier { op: BarrierOp::Arrive, .. } => "bar.arrive",
            Inst::Barrier { op: BarrierOp::Grid, .. } => GRID_OPERATION,
            Inst::Barrier { op: BarrierOp::And | BarrierOp::Or | BarrierOp::Count, .. } => "bar.red",
            _ => "bar.sync",
        };
    };
    match op {
        CollectiveOp::SyncWarp => "bar.warp.sync",
        CollectiveOp::Ballot | CollectiveOp::Any | CollectiveOp::All | CollectiveOp::Uniform => "vote.sync",
        CollectiveOp::ActiveMask => "activemask",
        CollectiveOp::MatchAny | CollectiveOp::MatchAll => "match.sync",
        CollectiveOp::ReduceAdd
        | CollectiveOp::ReduceMin
        | CollectiveOp::ReduceMax
        | CollectiveOp::ReduceAnd
        | CollectiveOp::ReduceOr
        | CollectiveOp::ReduceXor => "redux.sync",
        CollectiveOp::Shuffle | CollectiveOp::ShuffleUp | CollectiveOp::ShuffleDown | CollectiveOp::ShuffleXor => {
            "shfl.sync"
        }
    }
}
