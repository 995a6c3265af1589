//! Runs to the end: all of a small program, or one that is drawn.

use super::host::{Fate, Ticket};
use super::rules::DeviceRules;
use super::system::{DeviceMove, DeviceRun, DeviceSystem};
use crate::choice::SeededOrder;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// How a run has ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Outcome {
    /// The memory of each context.
    pub memories: Vec<Vec<u8>>,
    /// How each grid has ended; one that has not is not there.
    pub fates: BTreeMap<Ticket, Fate>,
}

impl<R: DeviceRules> DeviceSystem<'_, R> {
    /// What is to be seen of a state at the end.
    pub fn outcome(&self, run: &DeviceRun) -> Outcome {
        let bytes = |base: usize| (base..base + self.limits.memory).map(|at| run.device.memory.get(at)).collect();
        let memories = run.device.contexts.iter().map(|context| bytes(context.base)).collect();
        Outcome { memories, fates: run.host.fates.clone() }
    }

    /// How all runs end, if there are no more than so many states. What cannot be missed is done at once (H12): a grid that can
    /// be completed is, and blocks get multiprocessors before anything else.
    pub fn explore(&self, most: usize) -> Option<BTreeSet<Outcome>> {
        let (mut known, mut open) = (HashSet::new(), vec![self.initial()]);
        let mut outcomes = BTreeSet::new();
        while let Some(run) = open.pop() {
            if !known.insert(run.clone()) {
                continue;
            }
            if known.len() > most {
                return None;
            }
            let mut moves = self.successors(&run);
            let is_end = moves.iter().all(|(by, _)| by.is_optional());
            if is_end {
                outcomes.insert(self.outcome(&run));
            }
            let eager =
                |(by, _): &(DeviceMove, DeviceRun)| matches!(by, DeviceMove::Complete(_) | DeviceMove::Issue { .. });
            if self.program.aborts.is_empty() && moves.iter().any(eager) {
                let complete = moves.iter().position(|(by, _)| matches!(by, DeviceMove::Complete(_)));
                match complete {
                    Some(place) => moves = vec![moves.swap_remove(place)],
                    None => moves.retain(eager),
                }
            }
            open.extend(moves.into_iter().map(|(_, after)| after));
        }
        Some(outcomes)
    }

    /// A run whose moves are drawn, at most so many, with the moves that it made.
    pub fn random_run(&self, seed: u64, most: usize) -> (Vec<DeviceMove>, DeviceRun) {
        let mut drawn = SeededOrder::new(seed);
        let (mut run, mut made) = (self.initial(), Vec::new());
        loop {
            let mut moves = self.successors(&run);
            let is_end = moves.iter().all(|(by, _)| by.is_optional());
            if is_end || made.len() == most {
                return (made, run);
            }
            // A line that is evicted often is never stale.
            if drawn.below(16) > 0 {
                moves.retain(|(by, _)| !matches!(by, DeviceMove::Evict { .. }));
            }
            let (by, after) = moves.swap_remove(drawn.below(moves.len()));
            run = after;
            made.push(by);
        }
    }
}
