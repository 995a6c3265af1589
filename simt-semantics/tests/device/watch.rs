//! What holds of every state of a device, whatever the rules: an observer that knows the program, and not the rules.

use simt_semantics::device::{BlockState, DeviceLimits, DeviceMove, DeviceRules, DeviceRun, DeviceSystem, HostProgram};
use std::collections::{BTreeMap, BTreeSet};

/// The rule that a state breaks, if it breaks one.
pub(crate) fn broken(program: &HostProgram, limits: &DeviceLimits, run: &DeviceRun) -> Option<&'static str> {
    let DeviceRun { device, host } = run;
    let before = program.before();
    let busy = device.contexts.iter().filter(|context| !context.grids.is_empty()).count();
    if busy > 1 {
        return Some("grids of two contexts run");
    }
    for context in &device.contexts {
        if context.grids.len() > limits.concurrent_grids {
            return Some("too many grids run");
        }
        if context.lost && !context.grids.is_empty() {
            return Some("a grid of a lost context runs");
        }
        for grid in &context.grids {
            if host.fates.contains_key(&grid.ticket) {
                return Some("a grid runs that has ended");
            }
            if !context.program_map.contains_key(&grid.index) {
                return Some("a grid has no program");
            }
            if before[&grid.ticket].iter().any(|other| !host.fates.contains_key(other)) {
                return Some("a grid runs before one that is before it has ended");
            }
        }
    }
    let (mut indices, mut bases) = (BTreeSet::new(), BTreeMap::new());
    for context in &device.contexts {
        for grid in &context.grids {
            if !indices.insert(grid.index) {
                return Some("two grids have one index");
            }
        }
        if (context.base..context.base + limits.memory).any(|at| bases.insert(at, context.index).is_some()) {
            return Some("two contexts have one byte");
        }
    }
    if (0..limits.processors).any(|processor| device.residents(processor) > limits.resident_blocks) {
        return Some("a multiprocessor has too many blocks");
    }
    let active = |grid: u32| device.find(grid).is_some();
    let finished = host.started.keys().find(|&&grid| !active(grid));
    if finished.is_some() {
        return Some("a grid is gone, and the host has not heard of it");
    }
    None
}

/// More moves than any of the programs needs.
const MOVES: usize = 2000;

/// A run whose moves are drawn, and the rule that a state of it, or its end, breaks.
pub(crate) fn check(
    program: &HostProgram,
    limits: DeviceLimits,
    rules: &impl DeviceRules,
    seed: u64,
) -> Result<(), &'static str> {
    let system = DeviceSystem::new(limits, program, rules);
    let (moves, end) = system.random_run(seed, MOVES);
    let mut run = system.initial();
    for by in &moves {
        let completes = match by {
            DeviceMove::Complete(grid) => run.device.find(*grid).map(|(context, place)| {
                let state = &run.device.contexts[context].grids[place];
                let all = state.blocks.iter().all(|block| *block == BlockState::Completed);
                all && !run.device.memory.has_in_flight(*grid)
            }),
            _ => None,
        };
        if completes == Some(false) {
            return Err("a grid is completed before it is done");
        }
        run = system.step(&run, by).ok_or("a move that was made cannot be made")?;
        broken(program, &limits, &run).map_or(Ok(()), Err)?;
    }
    assert_eq!(run, end);
    if program.tickets().any(|ticket| !run.host.fates.contains_key(&ticket)) {
        return Err("a grid has not ended");
    }
    match program.result(&limits) {
        Some(expected) if expected != system.outcome(&run) => Err("a program without races has another result"),
        _ => Ok(()),
    }
}
