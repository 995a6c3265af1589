//! The memory environment and its operations in flight: transition system →M (CUDA report, section 4.6).

use super::interpreter::{Retry, YieldAction, micro_step};
use super::language::Level;
use super::line::{Line, OperationId};
use super::operation::Operation;
use super::oracle::Oracle;
use super::space::StateSpace;
use super::state::State;
use super::stuck::Stuck;

/// A rule that may fire at any time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SilentRule {
    /// evictL1, evictL2: a line goes, if policy and line allow it.
    Evict {
        /// The level.
        level: Level,
        /// The multiprocessor, of L1.
        processor: usize,
        /// The line.
        line: usize,
    },
    /// wbL1, wbL2: the level above gets the dirty bytes of a line, which is clean then.
    WriteBack {
        /// The level.
        level: Level,
        /// The multiprocessor, of L1.
        processor: usize,
        /// The line.
        line: usize,
    },
    /// flush: an L1 cache loses all its lines of global memory.
    Flush {
        /// The multiprocessor.
        processor: usize,
    },
}

/// The decisions for the report's holes, where both ways can be chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Holes {
    /// H2: the statement that is tried again after a deferral.
    pub retry: Retry,
    /// H3: whether a flush may take lines that operations wait for, as the report has it. Those are then stuck.
    pub flush_takes_pinned: bool,
}

/// The memory environment: ⟨η | operations⟩.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Environment {
    /// Memories and caches.
    pub state: State,
    /// The operations in flight, by number.
    operations: Vec<Operation>,
    next: OperationId,
    holes: Holes,
}

impl Environment {
    /// An environment without operations.
    pub fn new(state: State, holes: Holes) -> Self {
        Self { state, operations: Vec::new(), next: 0, holes }
    }

    /// The operations in flight.
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// Whether an operation is in flight.
    pub fn is_in_flight(&self, operation: OperationId) -> bool {
        self.operations.binary_search_by_key(&operation, |operation| operation.id).is_ok()
    }

    /// Adds an operation, returns its number and blocks its registers. It makes no step yet.
    ///
    /// # Errors
    /// If it blocks a register that does not exist.
    pub fn issue(&mut self, mut operation: Operation) -> Result<OperationId, Stuck> {
        let registers = &mut self.state.processor_mut(operation.processor)?.registers;
        for &register in &operation.registers {
            registers.get_mut(register)?.blocked = true;
        }
        operation.id = self.next;
        self.next += 1;
        self.operations.push(operation);
        Ok(self.next - 1)
    }

    /// The places in [`Environment::operations`] of those that may make a step: none in flight must go before them.
    pub fn eligible(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.operations.len()).filter(|&place| self.may_step(place))
    }

    fn may_step(&self, place: usize) -> bool {
        let Some(priority) = &self.operations[place].priority else { return true };
        let exceeds = |other: &Operation| other.priority.as_ref().is_some_and(|other| other.exceeds(priority));
        !self.operations.iter().any(exceeds)
    }

    /// Rules step and end: an operation makes a micro step. Returns how it ended; `None` if there is no such operation, or
    /// another must go first.
    ///
    /// # Errors
    /// Where its program is stuck.
    pub fn step(&mut self, place: usize, oracle: &mut dyn Oracle) -> Result<Option<YieldAction>, Stuck> {
        if place >= self.operations.len() || !self.may_step(place) {
            return Ok(None);
        }
        let action = micro_step(&mut self.state, &mut self.operations[place], self.holes.retry, oracle)?;
        if action == YieldAction::End {
            self.operations.remove(place);
        }
        Ok(Some(action))
    }

    /// Fires a silent rule; false if it cannot.
    ///
    /// # Errors
    /// If memory does not have what a line has.
    pub fn silent(&mut self, rule: SilentRule, oracle: &mut dyn Oracle) -> Result<bool, Stuck> {
        match rule {
            SilentRule::Evict { level, processor, line } => {
                let cache = self.state.cache_mut(level, processor)?;
                let can = cache.can_evict(line);
                if can && let Some(line) = cache.line_mut(line) {
                    *line = Line::default();
                }
                Ok(can)
            }
            SilentRule::WriteBack { level, processor, line } => self.write_back(level, processor, line, oracle),
            SilentRule::Flush { processor } => self.flush(processor),
        }
    }

    fn write_back(
        &mut self,
        level: Level,
        processor: usize,
        line: usize,
        oracle: &mut dyn Oracle,
    ) -> Result<bool, Stuck> {
        let Some(dirty) = self.state.cache(level, processor)?.lines().get(line).filter(|line| line.is_dirty()) else {
            return Ok(false);
        };
        let (Some(address), data, mask) = (dirty.address(), dirty.data().to_vec(), dirty.dirty) else {
            return Ok(false);
        };
        let done = match level {
            Level::L1 => self.state.l2.write(address, &data, mask, oracle)? == super::cache::Outcome::Done(()),
            Level::L2 => {
                let local = self.state.local.contains(address);
                let space = if local { StateSpace::Local } else { StateSpace::Global };
                self.state.write(space, processor, address, &data, mask)?;
                true
            }
        };
        if done && let Some(line) = self.state.cache_mut(level, processor)?.line_mut(line) {
            line.dirty = 0;
        }
        Ok(done)
    }

    fn flush(&mut self, processor: usize) -> Result<bool, Stuck> {
        let State { global, processors, .. } = &mut self.state;
        let l1 = &mut processors.get_mut(processor).ok_or(Stuck::NoProcessor { processor })?.l1;
        let is_global = |line: &Line| line.address().is_some_and(|address| global.contains(address));
        let taken: Vec<usize> = (0..).zip(l1.lines()).filter(|(_, line)| is_global(line)).map(|(at, _)| at).collect();
        let spares = !self.holes.flush_takes_pinned;
        let stays = |&at: &usize| l1.lines()[at].is_dirty() || spares && l1.lines()[at].is_pinned();
        if taken.iter().any(stays) {
            return Ok(false);
        }
        for at in taken {
            l1.line_mut(at).into_iter().for_each(|line| *line = Line::default());
        }
        Ok(true)
    }

    /// Every silent rule that could fire; of flushes, those that would remove a line.
    pub fn silent_rules(&self) -> Vec<SilentRule> {
        let mut rules = Vec::new();
        let l1s = self.state.processors.iter().enumerate().map(|(number, one)| (Level::L1, number, &one.l1));
        for (level, processor, cache) in l1s.chain([(Level::L2, 0, &self.state.l2)]) {
            for (line, one) in cache.lines().iter().enumerate() {
                if cache.can_evict(line) {
                    rules.push(SilentRule::Evict { level, processor, line });
                }
                if one.is_dirty() {
                    rules.push(SilentRule::WriteBack { level, processor, line });
                }
            }
            let is_global = |line: &Line| line.address().is_some_and(|address| self.state.global.contains(address));
            if level == Level::L1 && cache.lines().iter().any(is_global) {
                rules.push(SilentRule::Flush { processor });
            }
        }
        rules
    }
}
