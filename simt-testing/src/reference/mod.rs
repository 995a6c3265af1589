//! The reference: runs a program one thread after the other, statement by statement, straight from its meaning.
//!
//! It shares with the engine the program and the meanings of operations, and nothing else: no code, no rows, no masks of
//! control flow. For a race-free program whose threads wait for each other at collectives and barriers only, its result is the
//! only right one. Each thread runs until it has ended or waits; those that wait go on once all have come that they wait for.
//! So operations of threads on the same atomics are done in the order of the threads' numbers between two such places.

mod frame;
#[cfg(test)]
mod tests;
mod thread;
mod together;
mod world;

use super::Arrays;
use simt_core::program::{Array, EvaluateFault, Program, Validated};
use simt_runtime::Grid;
use std::borrow::Cow;
use thread::Thread;
use together::Warps;
use world::World;

/// The result of a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The memory, as [`Arrays::to_bits`] gives it.
    pub memory: Vec<Vec<u64>>,
    /// The lines that threads have printed.
    pub prints: Vec<String>,
}

/// A thread faulted, or did what the reference cannot do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReferenceFault {
    /// The thread's `global_id()`.
    pub thread: usize,
    /// The fault.
    pub kind: Refusal,
}

/// The reason why a thread did not come to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// An expression has no value.
    Evaluate(EvaluateFault),
    /// A store or an atomic operation out of bounds.
    OutOfBounds,
    /// An atomic operation on an element that no thread has written.
    Unwritten,
    /// It panicked with this message.
    Panic(String),
    /// Its calls nest deeper than the machine's default config lets them.
    CallDepth,
    /// It names lanes at a collective, and not itself.
    NotNamed,
    /// It shuffles from a lane that takes no part.
    FromAbsent,
    /// It waits for threads that do not come; or for those of its warp, where nothing says how wide warps are; or at a barrier
    /// that the reference does not know: with a number or a count.
    Waits,
    /// It asks for `active_mask()`, which depends on the policy.
    Open,
}

/// The result of a launch of the program, which asks for nothing that depends on how wide warps are: of its collectives the
/// reference executes the barriers of all threads of a block or of the grid.
///
/// # Errors
/// The fault of the first thread that faults.
pub fn reference(program: &Validated<Program>, grid: Grid, arrays: &Arrays) -> Result<Outcome, ReferenceFault> {
    launched(program, grid, arrays, Warps::Unknown)
}

/// The result of a launch of the program on warps of so many lanes, 1 to 64: it executes collectives of warps, too.
///
/// # Errors
/// The fault of the first thread that faults.
pub fn reference_in_warps(
    program: &Validated<Program>,
    grid: Grid,
    arrays: &Arrays,
    warp_width: usize,
) -> Result<Outcome, ReferenceFault> {
    launched(program, grid, arrays, Warps::Of(warp_width.clamp(1, 64)))
}

fn launched(
    program: &Validated<Program>,
    grid: Grid,
    arrays: &Arrays,
    warps: Warps,
) -> Result<Outcome, ReferenceFault> {
    let program = &*with_lengths(program, grid);
    let mut memory = arrays.to_bits();
    let passed = memory.len();
    memory.extend(program.params.iter().filter_map(|param| Some(param.table.as_ref()?.to_vec())));
    let mut world = World::new(program, grid, memory, warps.width());
    let threads = grid.threads().volume().unwrap_or(0);
    let count = threads * grid.blocks().volume().unwrap_or(0);
    let mut all: Vec<Thread<'_>> = (0..count).map(|number| Thread::new(program, number / threads, number)).collect();
    loop {
        for thread in &mut all {
            let number = thread.number();
            thread.run(&mut world).map_err(|kind| ReferenceFault { thread: number, kind })?;
        }
        if !together::go_on(&mut all, threads, warps)? {
            break;
        }
    }
    if let Some(thread) = all.iter().find(|thread| thread.is_live()) {
        return Err(ReferenceFault { thread: thread.number(), kind: Refusal::Waits });
    }
    world.memory.truncate(passed);
    Ok(Outcome { memory: world.memory, prints: all.into_iter().flat_map(Thread::into_prints).collect() })
}

/// The program with the lengths that the grid gives to its arrays.
fn with_lengths(program: &Validated<Program>, grid: Grid) -> Cow<'_, Validated<Program>> {
    if !program.arrays.iter().any(|Array { dynamic, .. }| *dynamic) {
        return Cow::Borrowed(program);
    }
    let sized = (**program).clone().with_shared_memory(grid.shared_memory()).validate();
    Cow::Owned(sized.unwrap_or_else(|error| unreachable!("validated: its arrays may have any length: {error}")))
}
