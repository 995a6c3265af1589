//! What threads do together: collectives of a warp, barriers of a block and of the grid.
//!
//! All threads have run as far as they can alone. So those that have come to a place are all that come before others go on;
//! where a policy lets some of them go on earlier, that makes no difference to what they get.

use super::thread::Thread;
use super::{ReferenceFault, Refusal};
use simt_core::program::{BarrierOp, CollectiveOp, Stmt, StmtKind};
use simt_core::{Constant, LaneMask};
use std::ptr;

/// What is known of warps.
#[derive(Clone, Copy)]
pub(super) enum Warps {
    /// Nothing: no collective of a warp can be executed, and a block comes to a barrier as a whole.
    Unknown,
    /// How many lanes they have.
    Of(usize),
}

impl Warps {
    pub(super) fn width(self) -> Option<usize> {
        match self {
            Self::Unknown => None,
            Self::Of(width) => Some(width),
        }
    }
}

/// Lets threads go on for which all have come; a block has so many. Returns whether there were any.
///
/// # Errors
/// What one of them does wrong.
pub(super) fn go_on(all: &mut [Thread<'_>], block: usize, warps: Warps) -> Result<bool, ReferenceFault> {
    let (block, mut moved) = (block.max(1), false);
    let width = warps.width().unwrap_or(block);
    for threads in all.chunks_mut(block) {
        if warps.width().is_some() {
            for warp in threads.chunks_mut(width) {
                moved |= collectives(warp, width)?;
            }
        }
        match barrier(threads.chunks(width)) {
            None | Some(BarrierOp::Grid) => {}
            Some(op) => {
                open(threads, op);
                moved = true;
            }
        }
    }
    if barrier(all.chunks(block).flat_map(|threads| threads.chunks(width))) == Some(BarrierOp::Grid) {
        open(all, BarrierOp::Grid);
        moved = true;
    }
    Ok(moved)
}

/// The barrier that all threads of these warps have come to which have not ended: those of a warp to one place.
fn barrier<'t, 'p: 't>(warps: impl Iterator<Item = &'t [Thread<'p>]>) -> Option<BarrierOp> {
    let mut found = None;
    for warp in warps {
        let mut live = warp.iter().filter(|thread| thread.is_live());
        let Some(first) = live.next() else { continue };
        let here = first.arrival()?.stmt;
        let StmtKind::Barrier { op, .. } = here.kind else { return None };
        let is_other = |thread: &Thread<'_>| !thread.arrival().is_some_and(|arrival| ptr::eq(arrival.stmt, here));
        if live.any(is_other) || found.is_some_and(|known| known != op) {
            return None;
        }
        found = Some(op);
    }
    found
}

/// Opens a barrier to which all of these threads have come that have not ended.
fn open(threads: &mut [Thread<'_>], op: BarrierOp) {
    let arrivals = threads.iter().filter_map(Thread::arrival);
    let values: Vec<bool> = arrivals.filter_map(|arrival| Some(arrival.args.first()?.bits != 0)).collect();
    let value = match op {
        BarrierOp::And => Some(Constant::of(values.iter().all(|&value| value))),
        BarrierOp::Or => Some(Constant::of(values.iter().any(|&value| value))),
        BarrierOp::Count => Some(Constant::of(values.iter().filter(|&&value| value).count() as u32)),
        BarrierOp::Sync | BarrierOp::Arrive | BarrierOp::Grid => None,
    };
    threads.iter_mut().for_each(|thread| thread.go_on(value));
}

/// A thread at a collective.
struct Lane {
    lane: usize,
    /// The lanes that it names.
    named: LaneMask,
    args: Vec<Constant>,
}

/// Lets lanes of a warp go on which have come to a collective with all that they name. Returns whether there were any.
fn collectives(warp: &mut [Thread<'_>], width: usize) -> Result<bool, ReferenceFault> {
    let live = lanes(warp, Thread::is_live);
    let at = |thread: &Thread<'_>, stmt: &Stmt| thread.arrival().is_some_and(|arrival| ptr::eq(arrival.stmt, stmt));
    let mut moved = false;
    for first in 0..warp.len() {
        let Some(stmt) = warp[first].arrival().map(|arrival| arrival.stmt) else { continue };
        let StmtKind::Collective { op, .. } = stmt.kind else { continue };
        let here = lanes(warp, |thread| at(thread, stmt));
        if here.lanes().next() != Some(first) {
            continue;
        }
        let mut come = Vec::new();
        for lane in here.lanes() {
            let Some(arrival) = warp[lane].arrival() else { continue };
            let named = arrival.mask.map_or(live, LaneMask);
            if !named.contains(lane) {
                return Err(ReferenceFault { thread: warp[lane].number(), kind: Refusal::NotNamed });
            }
            come.push(Lane { lane, named, args: arrival.args.clone() });
        }
        if come.iter().any(|lane| !(lane.named & live).is_subset(here)) {
            continue;
        }
        for lane in &come {
            let group: Vec<&Lane> = come.iter().filter(|other| other.named == lane.named).collect();
            let value = result(op, lane, &group, width);
            let value = value.map_err(|kind| ReferenceFault { thread: warp[lane.lane].number(), kind })?;
            warp[lane.lane].go_on(value);
        }
        moved = true;
    }
    Ok(moved)
}

fn lanes<'p>(warp: &[Thread<'p>], is: impl Fn(&Thread<'p>) -> bool) -> LaneMask {
    let lanes = (0..warp.len()).filter(|&lane| is(&warp[lane]));
    lanes.fold(LaneMask::EMPTY, |all, lane| all | LaneMask::lane(lane))
}

/// What a lane of a group gets.
fn result(op: CollectiveOp, lane: &Lane, group: &[&Lane], width: usize) -> Result<Option<Constant>, Refusal> {
    let holds = |lane: &Lane| lane.args.first().is_some_and(|value| value.bits != 0);
    let operand = lane.args.get(1).map_or(0, |value| value.bits as usize);
    let from = match op {
        CollectiveOp::SyncWarp => return Ok(None),
        CollectiveOp::ActiveMask => return Err(Refusal::Open),
        CollectiveOp::Ballot => {
            let bits: u64 = group.iter().filter(|other| holds(other)).map(|other| 1 << other.lane).sum();
            return Ok(Some(Constant::of(bits)));
        }
        CollectiveOp::Any => return Ok(Some(Constant::of(group.iter().any(|other| holds(other))))),
        CollectiveOp::All => return Ok(Some(Constant::of(group.iter().all(|other| holds(other))))),
        CollectiveOp::Uniform => {
            return Ok(Some(Constant::of(group.iter().all(|other| holds(other) == holds(lane)))));
        }
        CollectiveOp::MatchAny => {
            let bits: u64 = group.iter().filter(|other| other.args == lane.args).map(|other| 1 << other.lane).sum();
            return Ok(Some(Constant::of(bits)));
        }
        CollectiveOp::MatchAll => {
            let same = group.iter().all(|other| other.args == lane.args);
            let bits: u64 = group.iter().filter(|_| same).map(|other| 1 << other.lane).sum();
            return Ok(Some(Constant::of(bits)));
        }
        CollectiveOp::ReduceAdd => return Ok(reduced(group, |a, b| a.wrapping_add(b))),
        CollectiveOp::ReduceMin => return Ok(reduced(group, i128::min)),
        CollectiveOp::ReduceMax => return Ok(reduced(group, i128::max)),
        CollectiveOp::ReduceAnd => return Ok(reduced(group, |a, b| a & b)),
        CollectiveOp::ReduceOr => return Ok(reduced(group, |a, b| a | b)),
        CollectiveOp::ReduceXor => return Ok(reduced(group, |a, b| a ^ b)),
        CollectiveOp::Shuffle => operand % width,
        CollectiveOp::ShuffleUp => lane.lane.checked_sub(operand).unwrap_or(lane.lane),
        CollectiveOp::ShuffleDown => Some(lane.lane + operand).filter(|&from| from < width).unwrap_or(lane.lane),
        CollectiveOp::ShuffleXor => lane.lane ^ (operand % width),
    };
    let source = group.iter().find(|other| other.lane == from).ok_or(Refusal::FromAbsent)?;
    Ok(source.args.first().copied())
}

/// What is made of the operands of all lanes, as numbers; the low bits of that.
fn reduced(group: &[&Lane], join: impl Fn(i128, i128) -> i128) -> Option<Constant> {
    let first = group.first()?.args.first()?;
    let (ty, unused) = (first.ty, 64 - first.ty.bits());
    let number = |value: &Constant| match ty.is_signed_int() {
        true => i128::from((value.bits << unused) as i64 >> unused),
        false => i128::from(value.bits),
    };
    let all = group.iter().filter_map(|lane| lane.args.first()).map(number).reduce(join)?;
    Some(Constant { ty, bits: all as u64 & u64::MAX >> unused })
}
