//! Markers of convergence barriers: where their operands, which are values, become masks.

use crate::lanes::Registers;
use crate::plan::Converge;
use crate::policy::{BarrierMarker, WarpPolicy};
use simt_core::LaneMask;
use simt_core::code::Pc;

/// The current lanes execute a marker.
#[inline(always)]
pub(super) fn converge<P: WarpPolicy>(
    registers: &mut Registers,
    policy: &mut P,
    op: Converge,
    mask: LaneMask,
    next: Pc,
) {
    // PERF: these two stand at every divergent branch.
    match op {
        Converge::Set { barrier, target } => {
            policy.barrier(BarrierMarker::Set { barrier, target }, next);
        }
        Converge::Sync(barrier) => {
            policy.barrier(BarrierMarker::Sync(barrier), next);
        }
        _ => with_operand(registers, policy, op, mask, next),
    }
}

#[inline(never)]
fn with_operand<P: WarpPolicy>(registers: &mut Registers, policy: &mut P, op: Converge, mask: LaneMask, next: Pc) {
    // All lanes that execute one of these have the same value; the lowest one's counts (Hanoi, section VI-A).
    let lowest = mask.lanes().next().unwrap_or(0);
    let marker = match op {
        Converge::Set { barrier, target } => BarrierMarker::Set { barrier, target },
        Converge::Sync(barrier) => BarrierMarker::Sync(barrier),
        Converge::Break { barrier, cond, when } => {
            let holds = cond.map_or(mask, |cond| LaneMask(registers.predicates[cond as usize]) & mask);
            BarrierMarker::Break { barrier, lanes: if when { holds } else { mask - holds } }
        }
        Converge::Save { barrier, row } => {
            let LaneMask(participants) = policy.barrier(BarrierMarker::Save(barrier), next);
            mask.lanes().for_each(|lane| *registers.wide(row, lane) = participants);
            return;
        }
        Converge::Restore { barrier, row } => {
            BarrierMarker::Restore { barrier, participants: LaneMask(*registers.wide(row, lowest)) }
        }
        Converge::Yield => BarrierMarker::Yield,
        Converge::WarpSync(row) => BarrierMarker::WarpSync(LaneMask(*registers.wide(row, lowest))),
    };
    policy.barrier(marker, next);
}
