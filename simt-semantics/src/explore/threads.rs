//! Interleaved threads with all their interleavings.

use super::private::is_private;
use super::{Move, Successor, System};
use crate::collective::is_collective;
use crate::fault::{Fault, FaultKind};
use crate::interleaved::Interleaved;
use crate::memory::Memory;
use crate::setting::{Setting, StmtId};
use simt_core::LaneMask;
use simt_core::program::{CollectiveOp, StmtKind};
use std::collections::BTreeSet;

/// The interleaved semantics ⇒ⁱ (ESOP'12, section 4.1), whose free choice is the thread.
///
/// At a collective all sets of threads go on that have come and name no others, where they cannot do so one after the other.
#[derive(Clone, Debug)]
pub struct ThreadSystem<'a, 'p> {
    setting: &'a Setting<'p>,
    start: Interleaved,
    /// Whether the program has any.
    collectives: bool,
}

impl<'a, 'p> ThreadSystem<'a, 'p> {
    /// The runs from an initial memory.
    pub fn new(setting: &'a Setting<'p>, memory: Memory) -> Self {
        let collectives = setting.kinds().any(is_collective);
        Self { setting, start: Interleaved::initial(setting, memory), collectives }
    }

    /// The transitions of threads that are at one collective.
    fn at_collective(&self, config: &Interleaved, id: StmtId, limit: usize) -> Option<Vec<Successor<Interleaved>>> {
        let here = config.live().lanes().filter(|&thread| config.collective(self.setting, thread) == Some(id));
        let here = here.fold(LaneMask::EMPTY, |all, thread| all | LaneMask::lane(thread));
        let sets: BTreeSet<u64> = here.lanes().filter_map(|thread| self.closure(config, thread, here)).collect();
        let singles: Vec<u64> = sets.iter().copied().collect();
        // An active mask counts all threads that are there; other operations concern only the threads that they name.
        let counts_all =
            matches!(self.setting.kind(id), StmtKind::Collective { op: CollectiveOp::ActiveMask, mask: None, .. });
        let (mut sets, mut pending) = (sets, singles.clone());
        while let Some(set) = pending.pop() {
            let joined = singles.iter().filter(|&single| counts_all || single & set != 0).map(|single| single | set);
            pending.extend(joined.filter(|&union| sets.insert(union)));
            if sets.len() > limit {
                return None;
            }
        }
        let successor = |set: u64| {
            let (agents, mut after) = (LaneMask(set), config.clone());
            let stepped = after.step_together(self.setting, agents);
            Successor { by: Move::together(agents), agents, alone: false, after: stepped.map(|_| after) }
        };
        Some(sets.into_iter().map(successor).collect())
    }

    /// The smallest set with the thread that can go on, or faults; none if a named one has not come.
    fn closure(&self, config: &Interleaved, thread: usize, here: LaneMask) -> Option<u64> {
        let mut set = LaneMask::lane(thread);
        loop {
            match config.clone().step_together(self.setting, set) {
                Err(Fault { kind: FaultKind::Missing(missing), .. }) if missing.is_subset(here) => set |= missing,
                Err(Fault { kind: FaultKind::Missing(_), .. }) => return None,
                _ => return Some(set.0),
            }
        }
    }
}

impl System for ThreadSystem<'_, '_> {
    type Config = Interleaved;

    fn initial(&self) -> Interleaved {
        self.start.clone()
    }

    fn live(&self, config: &Interleaved) -> LaneMask {
        config.live()
    }

    fn memory<'c>(&self, config: &'c Interleaved) -> &'c Memory {
        &config.memory
    }

    fn successors(&self, config: &Interleaved, limit: usize) -> Option<Vec<Successor<Interleaved>>> {
        let (mut successors, mut waiting) = (Vec::new(), BTreeSet::new());
        for thread in config.live().lanes() {
            if let Some(id) = config.collective(self.setting, thread) {
                waiting.insert(id);
                continue;
            }
            let mut after = config.clone();
            let after = match after.step(self.setting, thread) {
                Ok(Some(_)) => Ok(after),
                Ok(None) => continue,
                Err(fault) => Err(fault),
            };
            let moved = after.as_ref().ok();
            let alone = moved.is_some_and(|after| is_private(self.setting, self.collectives, (config, after), thread));
            successors.push(Successor { by: Move::thread(thread), agents: LaneMask::lane(thread), alone, after });
        }
        for id in waiting {
            successors.extend(self.at_collective(config, id, limit)?);
        }
        (successors.len() <= limit).then_some(successors)
    }

    fn step(&self, config: &Interleaved, by: &Move) -> Option<Result<Interleaved, Fault>> {
        let threads = by.mask();
        let first = threads.lanes().next()?;
        let mut after = config.clone();
        if config.collective(self.setting, first).is_some() {
            return match after.step_together(self.setting, threads) {
                Ok(_) => Some(Ok(after)),
                Err(Fault { kind: FaultKind::Missing(_) | FaultKind::Stuck, .. }) => None,
                Err(fault) => Some(Err(fault)),
            };
        }
        if threads != LaneMask::lane(first) {
            return None;
        }
        match after.step(self.setting, first) {
            Ok(stepped) => stepped.map(|_| Ok(after)),
            Err(fault) => Some(Err(fault)),
        }
    }
}
