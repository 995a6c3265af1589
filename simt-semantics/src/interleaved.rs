//! The interleaved multi-thread semantics ⇒ⁱ (ESOP'12, section 4.1), with the schedule as a parameter.

use crate::choice::SeededOrder;
use crate::collective::{collective, is_collective};
use crate::coverage::{Coverage, ThreadRule};
use crate::fault::{Fault, FaultKind};
use crate::memory::Memory;
use crate::setting::{Setting, StmtId};
use crate::thread::{Context, ThreadItem, ThreadStack, step_thread};
use simt_core::LaneMask;

/// The dynamic part of an interleaved configuration `φ, η ▷ ς, μ`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Interleaved {
    /// The instruction stack of each thread, ς.
    pub stacks: Vec<ThreadStack>,
    /// The memory μ.
    pub memory: Memory,
}

/// Picks the thread that makes the next transition.
pub trait Schedule {
    /// One of the threads that have not ended and do not wait, of which there is one at least; `None` to stop.
    fn next(&mut self, live: LaneMask) -> Option<usize>;
}

/// One after the other, one transition each: weakly fair.
#[derive(Clone, Copy, Debug, Default)]
pub struct RoundRobin(usize);

impl Schedule for RoundRobin {
    fn next(&mut self, live: LaneMask) -> Option<usize> {
        let next = live.lanes().find(|&thread| thread >= self.0).or_else(|| live.lanes().next())?;
        self.0 = next + 1;
        Some(next)
    }
}

/// Any of them: weakly fair with probability 1.
impl Schedule for SeededOrder {
    fn next(&mut self, live: LaneMask) -> Option<usize> {
        let at = self.below(live.count());
        live.lanes().nth(at)
    }
}

/// The lowest that has not ended, to its end: not fair.
#[derive(Clone, Copy, Debug, Default)]
pub struct LowestFirst;

impl Schedule for LowestFirst {
    fn next(&mut self, live: LaneMask) -> Option<usize> {
        live.lanes().next()
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Nothing is left to do.
    Finished,
    /// A thread did something wrong.
    Fault(Fault),
    /// All threads that have not ended wait for each other at collectives.
    Deadlock(LaneMask),
    /// Not within the given number of transitions.
    OutOfFuel,
}

impl Interleaved {
    /// The initial configuration: `P call` for each thread, which is what the initial warp configuration projects to.
    pub fn initial(setting: &Setting<'_>, memory: Memory) -> Self {
        let body = setting.body(None).iter().rev().map(|&id| ThreadItem::Statement(id));
        let stack: ThreadStack = std::iter::once(ThreadItem::Context(Context::Call)).chain(body).collect();
        let threads = setting.place().threads();
        let width = setting.place().width() as usize;
        let stacks = (0..width).map(|thread| if threads.contains(thread) { stack.clone() } else { Vec::new() });
        Self { stacks: stacks.collect(), memory }
    }

    /// The threads that have not ended.
    pub fn live(&self) -> LaneMask {
        let threads = self.stacks.iter().enumerate().filter(|(_, stack)| !stack.is_empty());
        threads.fold(LaneMask::EMPTY, |live, (thread, _)| live | LaneMask::lane(thread))
    }

    /// An interleaved thread transition: the thread makes a transition of its own, or at a collective one together with all
    /// that have come to it. None if it has ended, is not there, or waits at a collective.
    ///
    /// # Errors
    /// The thread did something wrong. The configuration is as it was.
    pub fn step(&mut self, setting: &Setting<'_>, thread: usize) -> Result<Option<ThreadRule>, Fault> {
        if self.collective(setting, thread).is_some() {
            let together = self.at_the_head_of(thread);
            return match self.step_together(setting, together) {
                Err(Fault { kind: FaultKind::Missing(_), .. }) => Ok(None),
                stepped => stepped.map(Some),
            };
        }
        match self.stacks.get_mut(thread) {
            Some(stack) => step_thread(setting, thread, stack, &mut self.memory),
            None => Ok(None),
        }
    }

    /// Threads at one collective execute it together; the paper has no such rule.
    ///
    /// # Errors
    /// The threads are not at one collective, it names others that have not left the kernel, or an expression has no value.
    /// The configuration is as it was.
    pub fn step_together(&mut self, setting: &Setting<'_>, threads: LaneMask) -> Result<ThreadRule, Fault> {
        let first = threads.lanes().next().unwrap_or(0);
        let stuck = Fault { thread: first, kind: FaultKind::Stuck };
        let Some(id) = self.collective(setting, first) else { return Err(stuck) };
        if !threads.is_subset(self.at_the_head_of(first)) {
            return Err(stuck);
        }
        for (thread, write) in collective(setting, &self.memory, id, threads)? {
            write.perform(setting, &mut self.memory, thread);
            self.stacks[thread].pop();
        }
        Ok(ThreadRule::Collective)
    }

    /// The collective that a thread is at.
    pub(crate) fn collective(&self, setting: &Setting<'_>, thread: usize) -> Option<StmtId> {
        match self.stacks.get(thread)?.last()? {
            ThreadItem::Statement(id) if is_collective(setting.kind(*id)) => Some(*id),
            _ => None,
        }
    }

    /// The threads whose next statement is that of a thread.
    pub(crate) fn at_the_head_of(&self, thread: usize) -> LaneMask {
        let head = self.stacks[thread].last();
        let threads = (0..self.stacks.len()).filter(|&other| self.stacks[other].last() == head);
        threads.fold(LaneMask::EMPTY, |all, other| all | LaneMask::lane(other))
    }

    /// Runs as the schedule says, for at most so many transitions.
    pub fn run(
        &mut self,
        setting: &Setting<'_>,
        schedule: &mut dyn Schedule,
        fuel: u64,
        coverage: &mut Coverage,
    ) -> End {
        let mut waiting = LaneMask::EMPTY;
        for _ in 0..fuel {
            if let Some(end) = self.end(waiting) {
                return end;
            }
            let Some(thread) = schedule.next(self.live() - waiting) else { return End::OutOfFuel };
            match self.step(setting, thread) {
                Ok(Some(rule)) => {
                    coverage.thread(rule);
                    waiting = LaneMask::EMPTY;
                }
                Ok(None) => waiting |= LaneMask::lane(thread),
                Err(fault) => return End::Fault(fault),
            }
        }
        self.end(waiting).unwrap_or(End::OutOfFuel)
    }

    /// The end, if no thread can go on.
    pub(crate) fn end(&self, waiting: LaneMask) -> Option<End> {
        match self.live() {
            LaneMask::EMPTY => Some(End::Finished),
            live if live.is_subset(waiting) => Some(End::Deadlock(live)),
            _ => None,
        }
    }
}
