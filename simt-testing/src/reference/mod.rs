//! The reference: runs a program one thread after the other, statement by statement, straight from its meaning.
//!
//! It shares with the engine the program and the meanings of operations, and nothing else: no code, no rows, no masks. For a
//! race-free program whose threads do not wait for each other its result is the only right one. Operations of threads on the
//! same atomics are done in the order of the threads' numbers.

mod thread;

use super::Arrays;
use simt_core::program::{EvaluateFault, Program, Validated};
use simt_runtime::Grid;
use thread::Thread;

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
    /// It panicked with this message.
    Panic(String),
    /// Its calls nest deeper than the reference can follow. The machine may be able to.
    CallDepth,
    /// It waits for other threads, which a thread that runs alone cannot do.
    Waits,
}

/// The result of a launch of the program.
///
/// # Errors
/// The fault of the first thread that faults.
pub fn reference(program: &Validated<Program>, grid: Grid, arrays: &Arrays) -> Result<Outcome, ReferenceFault> {
    let mut outcome = Outcome { memory: arrays.to_bits(), prints: Vec::new() };
    let passed = outcome.memory.len();
    outcome.memory.extend(program.params.iter().filter_map(|param| Some(param.table.as_ref()?.to_vec())));
    let threads = grid.threads().volume().unwrap_or(0);
    let blocks = grid.blocks().volume().unwrap_or(0);
    for block in 0..blocks {
        let mut shared = thread::arrays(program);
        for number in 0..threads {
            let mut thread = Thread::new(program, grid, (block, number), &mut outcome, &mut shared);
            thread.run().map_err(|kind| ReferenceFault { thread: block * threads + number, kind })?;
        }
    }
    outcome.memory.truncate(passed);
    Ok(outcome)
}
