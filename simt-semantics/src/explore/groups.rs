//! A stack-less warp with all its schedules.

use super::orders::{Given, orders};
use super::{Move, Successor, System};
use crate::fault::Fault;
use crate::interleaved::Interleaved;
use crate::memory::Memory;
use crate::setting::Setting;
use crate::stackless::group_of;
use crate::thread::ThreadItem;
use simt_core::LaneMask;

/// The stack-less semantics (ESOP'12, section 5.2), whose free choices are the group and the order in which its threads
/// write.
///
/// A group is all threads at one place: a *schedule* that parts them makes the transitions of [`ThreadSystem`].
///
/// [`ThreadSystem`]: super::ThreadSystem
#[derive(Clone, Debug)]
pub struct GroupSystem<'a, 'p> {
    setting: &'a Setting<'p>,
    start: Interleaved,
}

impl<'a, 'p> GroupSystem<'a, 'p> {
    /// The runs from an initial memory.
    pub fn new(setting: &'a Setting<'p>, memory: Memory) -> Self {
        Self { setting, start: Interleaved::initial(setting, memory) }
    }

    /// Whose transition that of a group is: at a collective, also of those that have come from elsewhere.
    fn agents(&self, config: &Interleaved, group: LaneMask) -> LaneMask {
        match group.lanes().next() {
            Some(lowest) if config.collective(self.setting, lowest).is_some() => config.at_the_head_of(lowest),
            _ => group,
        }
    }
}

impl System for GroupSystem<'_, '_> {
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
        let (mut successors, mut rest) = (Vec::new(), config.live());
        while let Some(lowest) = rest.lanes().next() {
            let group = group_of(&config.stacks, lowest);
            rest = rest - group;
            let writes = group.lanes().filter_map(|thread| match config.stacks[thread].last() {
                Some(ThreadItem::Write(_, write)) => Some((thread, write.clone())),
                _ => None,
            });
            let writes: Vec<_> = writes.collect();
            let orders =
                if writes.is_empty() { vec![group.lanes().collect()] } else { orders(self.setting, &writes, limit)? };
            for order in orders {
                let (mut after, by) = (config.clone(), Move::new(order));
                let after = match after.step_group(self.setting, group, &mut Given(&by)) {
                    Ok(None) => continue,
                    Ok(Some(_)) => Ok(after),
                    Err(fault) => Err(fault),
                };
                successors.push(Successor { by, agents: self.agents(config, group), alone: false, after });
            }
        }
        (successors.len() <= limit).then_some(successors)
    }

    fn step(&self, config: &Interleaved, by: &Move) -> Option<Result<Interleaved, Fault>> {
        let lowest = by.mask().lanes().next().filter(|&thread| config.live().contains(thread))?;
        let group = group_of(&config.stacks, lowest);
        if by.mask() != group {
            return None;
        }
        let mut after = config.clone();
        match after.step_group(self.setting, group, &mut Given(by)) {
            Ok(stepped) => stepped.map(|_| Ok(after)),
            Err(fault) => Some(Err(fault)),
        }
    }
}
