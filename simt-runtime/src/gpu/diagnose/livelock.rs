//! A block that does not end: which lanes spin, on what, and which wait meanwhile.

use super::{add_lanes, fault, thread};
use crate::engine::{Circle, Launch, LivelockProof, Stopped, StoppedWarp};
use crate::error::{Called, LaunchError, Livelock, Reading, SourcePlace, Spin};
use crate::lanes::Registers;
use crate::memory::Memory;
use crate::observe::WarpId;
use crate::plan::{Plan, slot};
use simt_core::code::{Code, Inst};
use simt_core::program::{self, ParamKind};
use simt_core::{Constant, LaneMask};

/// Most elements that are shown of what a warp reads.
const READS: usize = 4;

/// The error for a block whose warps go round in circles.
pub(super) fn livelock(
    stopped: &Stopped,
    circles: &[Circle],
    proof: LivelockProof,
    launch: &Launch<'_>,
    memory: &mut Memory<'_>,
) -> LaunchError {
    let code = &launch.plan.code;
    let (mut spins, mut waits, mut called) = (Vec::new(), Vec::new(), Called::new());
    for (warp, circle) in stopped.warps.iter().zip(circles) {
        let StoppedWarp { number, registers, splits, .. } = warp;
        let lanes = circle.values().fold(LaneMask::EMPTY, |all, &mask| all | mask);
        if let Some((&first, _)) = circle.first_key_value() {
            // Warps that run one after the other share their local arrays.
            if launch.plan.is_cooperative() {
                memory.select_warp(*number);
            } else {
                memory.name_warp(*number);
            }
            add_lanes(&mut called, code, warp, lanes);
            let reads = reads(circle, registers, launch.plan, memory);
            spins.push(Spin { warp: *number, lanes, place: SourcePlace::at(code, first), reads });
        }
        let others = splits.iter().map(|split| (split.mask - lanes, split.pc));
        let others = others.filter(|(mask, _)| !mask.is_empty());
        waits.extend(others.map(|(mask, pc)| (*number, mask, SourcePlace::at(code, pc))));
    }
    let lowest = spins.first().map(|spin| (spin.warp, spin.lanes.lanes().next().unwrap_or(0)));
    let (warp, lane) = lowest.unwrap_or_default();
    LaunchError::Livelock(Box::new(Livelock {
        kernel: code.name.clone(),
        policy: launch.policy,
        proof,
        block: launch.grid.blocks().point(stopped.block),
        thread: thread(WarpId { block: stopped.block, warp }, lane, launch),
        spins,
        waits,
        called,
        ends_under: Vec::new(),
        prints: Vec::new(),
        warp_width: launch.config.warp_width,
    }))
}

/// The elements that the lanes read and that threads can change. None if memory is modelled: there each lane may read another
/// value, and the caller's slices keep their old ones until the launch ends.
fn reads(circle: &Circle, registers: &Registers, plan: &Plan, memory: &Memory<'_>) -> Vec<Reading> {
    let Plan { code, segments, origins, .. } = plan;
    let mut reads = Vec::new();
    if memory.modelled.is_some() {
        return reads;
    }
    for (pc, mask) in circle {
        let segment = &segments[pc.index()];
        for number in segment.start..segment.end {
            let reads_memory =
                matches!(code.inst(origins[number as usize].pc), Inst::Load { .. } | Inst::Atomic { .. });
            let Some((accessed, place)) = fault::accessed(plan, number).filter(|_| reads_memory) else {
                continue;
            };
            let (Some(lane), Some(ty)) = (mask.lanes().next(), changeable(code, accessed)) else { continue };
            let index = registers.get(place, lane) as usize;
            let Some(bits) = memory.bits(slot(code, accessed), index, lane) else { continue };
            let (name, row, value) = (fault::name(code, accessed), fault::row(code, accessed), Constant { ty, bits });
            let reading = Reading { name, index, value, row };
            if reads.len() < READS && !reads.contains(&reading) {
                reads.push(reading);
            }
        }
    }
    reads
}

/// The type of the elements, if another thread can change them.
fn changeable(code: &Code, memory: program::Memory) -> Option<simt_core::ScalarType> {
    match memory {
        program::Memory::Param(param) => {
            let kind = code.params[param.0 as usize].kind;
            let is_read_only = matches!(kind, ParamKind::Slice { writable: false, .. } | ParamKind::Constant { .. });
            kind.element().filter(|_| !is_read_only)
        }
        program::Memory::Array(array) => {
            let array = &code.arrays[array.0 as usize];
            (array.space == program::ArraySpace::Shared).then_some(array.element)
        }
    }
}
