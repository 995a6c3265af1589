//! Operations of several threads together, which the paper has not.
//!
//! All the threads that one names must execute it together, but for those that have left the kernel; those that name the
//! same threads have a result together. A single thread makes no such transition; threads of an interleaved configuration
//! make it together ([`Interleaved::step_together`](crate::Interleaved::step_together)).
//!
//! A barrier of a block that is one warp is a collective that names all; so is one of a grid that is one warp, because a
//! configuration is one of a warp, and then there are no other threads to wait for. Others concern several warps, and have no
//! rule here.

use crate::effect::{View, Write};
use crate::fault::{Fault, FaultKind};
use crate::memory::Memory;
use crate::setting::{Setting, StmtId};
use simt_core::Constant;
use simt_core::LaneMask;
use simt_core::ops::evaluate_atomic;
use simt_core::program::{BarrierOp, CollectiveOp, ExprId, StmtKind};

/// What is done together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operation {
    Warp(CollectiveOp),
    Block(BarrierOp),
}

/// Whether threads execute the statement together.
pub(crate) fn is_collective(kind: &StmtKind) -> bool {
    matches!(kind, StmtKind::Collective { .. } | StmtKind::Barrier { .. })
}

/// What each of the threads that execute a collective together writes.
pub(crate) fn collective(
    setting: &Setting<'_>,
    memory: &Memory,
    id: StmtId,
    threads: LaneMask,
) -> Result<Vec<(usize, Write)>, Fault> {
    let (op, mask, args, result) = match setting.kind(id) {
        StmtKind::Collective { op, mask, args, result } => (Operation::Warp(*op), *mask, args.clone(), *result),
        StmtKind::Barrier { op, value, result, .. } => {
            (Operation::Block(*op), None, value.iter().copied().collect(), *result)
        }
        _ => return Err(Fault { thread: threads.lanes().next().unwrap_or(0), kind: FaultKind::Stuck }),
    };
    let mut lanes = Vec::new();
    for thread in threads.lanes() {
        let view = View { setting, memory, thread };
        let named = named(&view, op, mask, threads)?;
        lanes.push(Lane { thread, named, args: view.values(&args)? });
    }
    let mut writes = Vec::new();
    for lane in &lanes {
        let group = Group { lanes: lanes.iter().filter(|other| other.named == lane.named).collect() };
        let value = group.result(op, lane, setting.place().warp_width)?;
        let write = result.zip(value).map_or(Write::Nothing, |(var, value)| Write::Variable(var, value));
        writes.push((lane.thread, write));
    }
    Ok(writes)
}

/// The threads that a thread names: itself among them, and all of them are here or have left the kernel.
fn named(view: &View<'_, '_>, op: Operation, mask: Option<ExprId>, here: LaneMask) -> Result<LaneMask, Fault> {
    let fault = |kind| Err(Fault { thread: view.thread, kind });
    let named = match mask {
        // It names the threads that are here.
        None if op == Operation::Warp(CollectiveOp::ActiveMask) => return Ok(here),
        None => view.memory.live(),
        Some(mask) => LaneMask(view.value(mask)?.bits),
    };
    if !named.contains(view.thread) {
        return fault(FaultKind::NotNamed(named));
    }
    let missing = (named & view.memory.live()) - here;
    if missing.is_empty() { Ok(named) } else { fault(FaultKind::Missing(missing)) }
}

/// A thread that executes the collective.
struct Lane {
    thread: usize,
    named: LaneMask,
    args: Vec<Constant>,
}

/// The threads that have a result together.
struct Group<'a> {
    lanes: Vec<&'a Lane>,
}

impl Group<'_> {
    fn mask(&self, is: impl Fn(&Lane) -> bool) -> LaneMask {
        let lanes = self.lanes.iter().filter(|lane| is(lane));
        lanes.fold(LaneMask::EMPTY, |mask, lane| mask | LaneMask::lane(lane.thread))
    }

    /// The result of a thread of the group.
    fn result(&self, op: Operation, lane: &Lane, width: u32) -> Result<Option<Constant>, Fault> {
        let all = self.mask(|_| true);
        let holds = self.mask(|lane| lane.args.first().is_some_and(|value| value.bits != 0));
        let own = lane.thread as u32;
        let operand = lane.args.get(1).map_or(0, |value| value.bits as u32);
        let op = match op {
            Operation::Warp(op) => op,
            Operation::Block(BarrierOp::Sync | BarrierOp::Arrive | BarrierOp::Grid) => CollectiveOp::SyncWarp,
            Operation::Block(BarrierOp::And) => CollectiveOp::All,
            Operation::Block(BarrierOp::Or) => CollectiveOp::Any,
            Operation::Block(BarrierOp::Count) => return Ok(Some(Constant::of(holds.count() as u32))),
        };
        let from = match op {
            CollectiveOp::SyncWarp => return Ok(None),
            CollectiveOp::Ballot => return Ok(Some(Constant::of(holds.0))),
            CollectiveOp::ActiveMask => return Ok(Some(Constant::of(all.0))),
            CollectiveOp::Any => return Ok(Some(Constant::of(!holds.is_empty()))),
            CollectiveOp::All => return Ok(Some(Constant::of(holds == all))),
            CollectiveOp::Uniform => return Ok(Some(Constant::of(holds.is_empty() || holds == all))),
            CollectiveOp::MatchAny | CollectiveOp::MatchAll => {
                let same = self.mask(|other| other.args == lane.args);
                let shown = op == CollectiveOp::MatchAny || same == all;
                return Ok(Some(Constant::of(if shown { same.0 } else { 0 })));
            }
            CollectiveOp::ReduceAdd
            | CollectiveOp::ReduceMin
            | CollectiveOp::ReduceMax
            | CollectiveOp::ReduceAnd
            | CollectiveOp::ReduceOr
            | CollectiveOp::ReduceXor => {
                let values = self.lanes.iter().filter_map(|other| other.args.first().copied());
                let join = |sum, value| op.reduction().map_or(sum, |op| evaluate_atomic(op, sum, &[value]));
                return Ok(values.reduce(join));
            }
            CollectiveOp::Shuffle => operand % width,
            CollectiveOp::ShuffleUp => own.checked_sub(operand).unwrap_or(own),
            CollectiveOp::ShuffleDown => own.checked_add(operand).filter(|&from| from < width).unwrap_or(own),
            CollectiveOp::ShuffleXor => own ^ (operand % width),
        };
        let source = self.lanes.iter().find(|other| other.thread == from as usize);
        let value = source.and_then(|other| other.args.first().copied());
        value.map(Some).ok_or(Fault { thread: lane.thread, kind: FaultKind::FromAbsent(from) })
    }
}
