//! Whether a segment changes memory: found out before it runs.
//!
//! It is tried on a copy of the registers, operation by operation, what writes lane by lane. The first lane that would change
//! an element ends the trial, and its element gets back what it held. So what is taken and given back counts as a change,
//! also within one segment.

use crate::lanes::{self, Registers};
use crate::memory::Memory;
use crate::plan::{Access, AddressAccess, Extended, LaneOp, Micro, Place, Plan, Segment};
use simt_core::LaneMask;
use simt_core::ops::AtomicOp;

/// What an operation does besides writing registers.
enum Effect {
    None,
    /// Writes elements: the slot, and where the indices are.
    Writes(u16, Place),
    /// Writes memory by address.
    WritesAt(AddressAccess),
    /// Something that cannot be taken back.
    Final,
}

fn effect(plan: &Plan, micro: Micro) -> Effect {
    if micro.op.is_store() {
        return Effect::Writes(micro.b, Place::Word(micro.a));
    }
    let extended = plan.extended.get(micro.extended()).filter(|_| micro.op == LaneOp::Extended);
    let access = match extended {
        Some(Extended::Access(access)) => access,
        // Which lanes it is for is not looked at.
        Some(Extended::Guarded(guarded)) => {
            let has_none = guarded.micros.iter().all(|&micro| matches!(effect(plan, micro), Effect::None));
            return if has_none { Effect::None } else { Effect::Final };
        }
        _ => return Effect::None,
    };
    match *access {
        Access::Store { slot, index, .. } => Effect::Writes(slot, Place::Word(index)),
        Access::Atomic(atomic) if atomic.op == AtomicOp::Load => Effect::None,
        Access::Atomic(atomic) => Effect::Writes(atomic.slot, atomic.index),
        Access::Address(ref access) if access.writes() => Effect::WritesAt(**access),
        Access::Print(..) | Access::Panic(_) | Access::Modelled(_) | Access::ModelledAddress(_) | Access::Fence => {
            Effect::Final
        }
        // The race check does not see a trial.
        Access::Load { .. }
        | Access::Address(_)
        | Access::Watched(_)
        | Access::WatchedAddress(_)
        | Access::WatchedFence(_) => Effect::None,
    }
}

/// Whether a segment changes memory, or does something else that cannot be taken back, if lanes run it that have these
/// registers. Memory stays as it is. `copy` is used up.
pub(super) fn changes_memory(
    plan: &Plan,
    segment: &Segment,
    mask: LaneMask,
    registers: &Registers,
    copy: &mut Registers,
    memory: &mut Memory<'_>,
) -> bool {
    let micros = &plan.micros[segment.start as usize..segment.end as usize];
    let last = micros.iter().rposition(|&micro| !matches!(effect(plan, micro), Effect::None));
    let Some(last) = last else { return false };
    copy.copy_from(registers, plan);
    for micro in &micros[..=last] {
        let run = |registers: &mut Registers, memory: &mut Memory<'_>, lanes| {
            registers.activate(lanes);
            lanes::run(std::slice::from_ref(micro), plan, registers, memory).is_some()
        };
        match effect(plan, *micro) {
            Effect::None => {
                if run(copy, memory, mask) {
                    return true;
                }
            }
            Effect::Final => return true,
            Effect::WritesAt(access) => {
                for lane in mask.lanes() {
                    let (address, bytes) = (access.address(copy, lane), access.bytes());
                    let value = |memory: &mut Memory<'_>| {
                        memory.spaces.as_mut().and_then(|spaces| spaces.load(access.space, address, bytes, lane))
                    };
                    let Some(before) = value(memory) else { return true };
                    let faults = run(copy, memory, LaneMask::lane(lane));
                    if value(memory) != Some(before) {
                        let spaces = memory.spaces.as_mut();
                        spaces.map(|spaces| spaces.store(access.space, address, bytes, lane, before));
                        return true;
                    }
                    if faults {
                        return true;
                    }
                }
            }
            Effect::Writes(slot, index) => {
                for lane in mask.lanes() {
                    let index = copy.get(index, lane) as usize;
                    let Some(before) = memory.bits(slot, index, lane) else { return true };
                    let faults = run(copy, memory, LaneMask::lane(lane));
                    if memory.bits(slot, index, lane) != Some(before) {
                        memory.set_bits(slot, index, lane, before);
                        return true;
                    }
                    if faults {
                        return true;
                    }
                }
            }
        }
    }
    false
}
