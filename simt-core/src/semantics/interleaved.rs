//! The interleaved multi-thread semantics ⇒ⁱ (ESOP'12, section 4.1), with the schedule as a parameter.

use super::{Context, Coverage, Fault, Memory, SeededOrder, Setting, ThreadItem, ThreadRule, ThreadStack, step_thread};
use crate::mask::LaneMask;

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
    /// One of the threads that have not ended, of which there is one at least; `None` to stop.
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

    /// An interleaved thread transition: the thread makes a transition of its own. None if it has ended, or is not there.
    ///
    /// # Errors
    /// The thread did something wrong. The configuration is as it was.
    pub fn step(&mut self, setting: &Setting<'_>, thread: usize) -> Result<Option<ThreadRule>, Fault> {
        match self.stacks.get_mut(thread) {
            Some(stack) => step_thread(setting, thread, stack, &mut self.memory),
            None => Ok(None),
        }
    }

    /// Runs as the schedule says, for at most so many transitions.
    pub fn run(
        &mut self,
        setting: &Setting<'_>,
        schedule: &mut dyn Schedule,
        fuel: u64,
        coverage: &mut Coverage,
    ) -> End {
        for _ in 0..fuel {
            let live = self.live();
            if live.is_empty() {
                return End::Finished;
            }
            let Some(thread) = schedule.next(live) else { return End::OutOfFuel };
            match self.step(setting, thread) {
                Ok(rule) => rule.into_iter().for_each(|rule| coverage.thread(rule)),
                Err(fault) => return End::Fault(fault),
            }
        }
        if self.live().is_empty() { End::Finished } else { End::OutOfFuel }
    }
}
