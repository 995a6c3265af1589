//! Threads that wait for others that never come: which, in what, and for which.

use super::{GRID_OPERATION, add_lanes, operation};
use crate::engine::{GRID, Launch, Stopped, StoppedWarp, each_group};
use crate::error::{Called, Deadlock, LaunchError, SourcePlace, Wait};
use simt_core::LaneMask;
use simt_core::code::{Code, Inst, Marker, Pc};

/// Lanes that can run, with their warp and where they are.
type Others = Vec<(usize, LaneMask, SourcePlace)>;

/// No warp of the block can go on.
pub(super) fn of_block(stopped: &mut Stopped, launch: &Launch<'_>) -> LaunchError {
    let (mut waits, mut others, mut called) = (Vec::new(), Vec::new(), Called::new());
    for warp in &mut stopped.warps {
        let (more_waits, more_others) = waits_of(warp, launch, &mut called);
        waits.extend(more_waits);
        others.extend(more_others);
    }
    for wait in &mut waits {
        let index = if wait.operation == GRID_OPERATION { Some(GRID) } else { wait.barrier };
        wait.arrived = index.and_then(|index| stopped.barriers.get(index as usize).copied().flatten());
    }
    deadlock(stopped.block, waits, others, called, launch)
}

/// No lane of the warp that is named can go on.
pub(super) fn of_warp(stopped: &mut Stopped, launch: &Launch<'_>) -> LaunchError {
    let mut called = Called::new();
    let (waits, others) = waits_of(&mut stopped.warps[stopped.place], launch, &mut called);
    deadlock(stopped.block, waits, others, called, launch)
}

fn deadlock(block: usize, waits: Vec<Wait>, others: Others, called: Called, launch: &Launch<'_>) -> LaunchError {
    LaunchError::Deadlock(Box::new(Deadlock {
        kernel: launch.plan.code.name.clone(),
        policy: launch.policy,
        block: launch.grid.blocks().point(block),
        waits,
        others,
        called,
        ends_under: Vec::new(),
        warp_width: launch.config.warp_width,
    }))
}

/// The lanes of a warp that wait, and the others. The calls of those that wait are added to what is shown.
fn waits_of(stopped: &mut StoppedWarp, launch: &Launch<'_>, called: &mut Called) -> (Vec<Wait>, Others) {
    let StoppedWarp { number, registers, live, splits, arrived, waits_at, .. } = stopped;
    let (warp, code) = (*number, &launch.plan.code);
    let mut waiting = LaneMask::EMPTY;
    let mut waits = Vec::new();
    for arrived in arrived {
        waiting |= arrived.mask;
        let has_names = matches!(*code.inst(arrived.pc), Inst::Collective { mask: Some(_), .. });
        // What is wrong with the names of a lane was said where it came.
        let _ = each_group(launch.plan, registers, *live, *arrived, |group, missing| {
            let named = has_names.then_some(group | missing);
            let place = SourcePlace::at(code, arrived.pc);
            let wait = Wait::new(warp, group, operation(code, arrived.pc), place);
            waits.push(Wait { missing, named, ..wait });
        });
    }
    if let Some(arrival) = waits_at {
        waiting |= arrival.lanes;
        let place = SourcePlace::at(code, arrival.pc);
        let wait = Wait::new(warp, arrival.lanes, operation(code, arrival.pc), place);
        let barrier = Some(arrival.index).filter(|&index| index != GRID);
        waits.push(Wait { barrier, counted: arrival.threads.is_some(), ..wait });
    }
    // Lanes that wait at a convergence barrier go on behind it.
    for split in splits.iter() {
        let behind = split.pc.0.checked_sub(1).map(Pc);
        if let Some((pc, operation)) = behind.and_then(|pc| Some((pc, barrier_operation(code, pc)?)))
            && (split.mask & waiting).is_empty()
        {
            waiting |= split.mask;
            waits.push(Wait::new(warp, split.mask, operation, SourcePlace::at(code, pc)));
        }
    }
    let others = splits.iter().map(|split| (warp, split.mask - waiting, SourcePlace::at(code, split.pc)));
    let others = others.filter(|(_, lanes, _)| !lanes.is_empty()).collect();
    waits.iter().for_each(|wait| add_lanes(called, code, stopped, wait.lanes));
    (waits, others)
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
