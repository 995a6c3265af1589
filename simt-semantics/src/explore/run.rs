//! One run of a system: by a given schedule, by a random one, or as far as its user leads it.

use super::{Move, Successor, System, Witness};
use crate::choice::SeededOrder;
use crate::interleaved::End;
use crate::memory::Memory;
use std::ops::Range;

/// How a run ended, and by which schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// How it ended; [`End::OutOfFuel`] if it goes on from there.
    pub end: End,
    /// The memory then.
    pub memory: Memory,
    /// The schedule. The last move of a run that faults is the one that does.
    pub witness: Witness,
}

/// A schedule that does not fit the program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {number} of the schedule is not possible: {by} has ended, waits, or is elsewhere")]
pub struct NotPossible {
    /// Which move, from 1.
    pub number: usize,
    /// The move.
    pub by: Move,
}

/// A run that has come so far.
pub(super) struct Run<'a, S: System> {
    pub(super) system: &'a S,
    pub(super) config: S::Config,
    fault: Option<End>,
    witness: Witness,
}

/// More transitions from one configuration than a run chooses from.
const CHOICES: usize = 1 << 12;

impl<'a, S: System> Run<'a, S> {
    pub(super) fn new(system: &'a S) -> Self {
        Self { system, config: system.initial(), fault: None, witness: Witness::default() }
    }

    /// Makes a move, if it is possible.
    pub(super) fn step(&mut self, by: &Move) -> bool {
        let after = if self.fault.is_none() { self.system.step(&self.config, by) } else { None };
        match after {
            Some(Ok(after)) => self.config = after,
            Some(Err(fault)) => self.fault = Some(End::Fault(fault)),
            None => return false,
        }
        self.witness.moves.push(by.clone());
        true
    }

    /// Makes a transition that has been found.
    pub(super) fn take(&mut self, successor: Successor<S::Config>) {
        match successor.after {
            Ok(after) => self.config = after,
            Err(fault) => self.fault = Some(End::Fault(fault)),
        }
        self.witness.moves.push(successor.by);
    }

    /// The transitions that can be made; none at the end.
    pub(super) fn successors(&self) -> Vec<Successor<S::Config>> {
        if self.fault.is_some() {
            return Vec::new();
        }
        self.system.successors(&self.config, CHOICES).unwrap_or_default()
    }

    pub(super) fn last(&self) -> Option<&Move> {
        self.witness.moves.last()
    }

    pub(super) fn ending(self) -> Ending {
        let live = self.system.live(&self.config);
        let end = self.fault.unwrap_or_else(|| match self.system.successors(&self.config, CHOICES) {
            _ if live.is_empty() => End::Finished,
            Some(none) if none.is_empty() => End::Deadlock(live),
            _ => End::OutOfFuel,
        });
        Ending { end, memory: self.system.memory(&self.config).clone(), witness: self.witness }
    }
}

/// Runs by a schedule, move by move.
///
/// # Errors
/// The schedule names a move that cannot be made there.
pub fn replay<S: System>(system: &S, witness: &Witness) -> Result<Ending, NotPossible> {
    let mut run = Run::new(system);
    for (by, number) in witness.moves.iter().zip(1..) {
        if !run.step(by) {
            return Err(NotPossible { number, by: by.clone() });
        }
    }
    Ok(run.ending())
}

/// A random run, the same for the same seed, of at most so many moves. Of a program without collectives, threads run as
/// [`Interleaved::run`](crate::Interleaved::run) runs them by [`SeededOrder`].
pub fn random_run<S: System>(system: &S, seed: u64, fuel: usize) -> Ending {
    let (mut run, mut random) = (Run::new(system), SeededOrder::new(seed));
    for _ in 0..fuel {
        let mut successors = run.successors();
        if successors.is_empty() {
            break;
        }
        let pick = random.below(successors.len());
        run.take(successors.swap_remove(pick));
    }
    run.ending()
}

/// A random run that fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The seed, from which [`random_run`] makes the run again.
    pub seed: u64,
    /// How it ended.
    pub ending: Ending,
}

/// The first of random runs that fails, for programs too big for [`explore`](super::explore()).
pub fn try_seeds<S: System>(
    system: &S,
    mut seeds: Range<u64>,
    fuel: usize,
    fails: impl Fn(&Ending) -> bool,
) -> Option<Failure> {
    seeds.find_map(|seed| {
        let ending = random_run(system, seed, fuel);
        fails(&ending).then_some(Failure { seed, ending })
    })
}
