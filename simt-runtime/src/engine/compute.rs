//! What lanes of a group compute together, from their registers.

use super::collective::Misuse;
use crate::lanes::{MAX_LANES, Registers};
use crate::plan::{Collective, Place};
use simt_core::LaneMask;
use simt_core::program::CollectiveOp;

/// Computes a collective for the lanes of a group.
pub(super) fn compute(
    registers: &mut Registers,
    collective: Collective,
    group: LaneMask,
) -> Result<(), (Misuse, usize)> {
    let Collective { op, dst, value, lane, reduction, .. } = collective;
    let holds = match value {
        Some(Place::Predicate(row)) => LaneMask(registers.predicates[row as usize]) & group,
        _ => LaneMask::EMPTY,
    };
    let Some(dst) = dst else { return Ok(()) };
    let same = match op {
        CollectiveOp::SyncWarp => return Ok(()),
        CollectiveOp::Ballot => holds.0,
        CollectiveOp::ActiveMask => group.0,
        CollectiveOp::Any => u64::from(!holds.is_empty()),
        CollectiveOp::All => u64::from(holds == group),
        CollectiveOp::Uniform => u64::from(holds.is_empty() || holds == group),
        CollectiveOp::MatchAny | CollectiveOp::MatchAll => return matched(registers, op, dst, value, group),
        CollectiveOp::ReduceAdd
        | CollectiveOp::ReduceMin
        | CollectiveOp::ReduceMax
        | CollectiveOp::ReduceAnd
        | CollectiveOp::ReduceOr
        | CollectiveOp::ReduceXor => {
            let (Some(value), Some(meaning)) = (value, reduction) else { return Ok(()) };
            let values = group.lanes().map(|lane| registers.get(value, lane));
            values.reduce(|sum, other| meaning(sum, other, 0)).unwrap_or(0)
        }
        CollectiveOp::Shuffle | CollectiveOp::ShuffleUp | CollectiveOp::ShuffleDown | CollectiveOp::ShuffleXor => {
            return shuffle(registers, op, dst, value, lane, group);
        }
    };
    registers.set_lanes(dst, group, |_| same);
    Ok(())
}

/// Each lane gets those of its group that have its value, or all if they all have.
fn matched(
    registers: &mut Registers,
    op: CollectiveOp,
    dst: Place,
    value: Option<Place>,
    group: LaneMask,
) -> Result<(), (Misuse, usize)> {
    let Some(value) = value else { return Ok(()) };
    let mut same = [LaneMask::EMPTY; MAX_LANES];
    for lane in group.lanes() {
        let own = registers.get(value, lane);
        let like = group.lanes().filter(|&other| registers.get(value, other) == own);
        same[lane] = like.fold(LaneMask::EMPTY, |lanes, lane| lanes | LaneMask::lane(lane));
    }
    for lane in group.lanes() {
        let shown = op == CollectiveOp::MatchAny || same[lane] == group;
        registers.set(dst, lane, if shown { same[lane].0 } else { 0 });
    }
    Ok(())
}

fn shuffle(
    registers: &mut Registers,
    op: CollectiveOp,
    dst: Place,
    value: Option<Place>,
    operand: Option<u16>,
    group: LaneMask,
) -> Result<(), (Misuse, usize)> {
    let (Some(value), Some(operand)) = (value, operand) else { return Ok(()) };
    let width = registers.lanes as u32;
    // PERF: a loop for each operation, so that the compiler knows what it computes.
    let from = match op {
        CollectiveOp::ShuffleUp => registers.of_words(operand, |own, by| own.checked_sub(by).unwrap_or(own)),
        CollectiveOp::ShuffleDown => {
            registers.of_words(operand, |own, by| own.checked_add(by).filter(|&from| from < width).unwrap_or(own))
        }
        CollectiveOp::ShuffleXor => registers.of_words(operand, |own, by| own ^ (by % width)),
        _ => registers.of_words(operand, |_, from| from % width),
    };
    if group != LaneMask::first(registers.lanes)
        && let Some(lane) = group.lanes().find(|&lane| !group.contains(from[lane] as usize))
    {
        return Err((Misuse::FromAbsent { lane: from[lane] }, lane));
    }
    let mut values = [0; MAX_LANES];
    registers.get_all(value, &mut values);
    registers.set_lanes(dst, group, |lane| values[from[lane] as usize % MAX_LANES]);
    Ok(())
}
