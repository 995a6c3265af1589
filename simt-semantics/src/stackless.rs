//! The stack-less warp semantics (ESOP'12, section 5.2): an instruction stack for each thread, and a function *schedule*
//! that selects threads which are at the same place.
//!
//! ```text
//! (φ, η(θ) ▷ ς(θ), μ ⇒ᵗ T′_θ, μ′_θ) for θ ∈ Θ
//! ───────────────────────────────────────────────────────────────────────  where schedule(ς) = Θ
//! φ, η ▷ ς, μ ⇒ˢ ς{θ ↦ T′_θ for θ ∈ Θ}, μ{a ↦ μ′_θ(a) for θ ∈ Θ, a ∈ Addr}
//! ```
//!
//! Threads at one place make transitions of one rule, and no rule both reads what others may write and writes, but that of
//! an atomic operation, which must not be torn apart. So the threads' writes are applied one after the other, in an order
//! that is a parameter, which is the rule's `μ{..}` and gives atomic operations their meaning.

use crate::choice::Choice;
use crate::coverage::{Coverage, ThreadRule};
use crate::fault::Fault;
use crate::interleaved::{End, Interleaved};
use crate::setting::Setting;
use crate::thread::{ThreadItem, ThreadStack};
use simt_core::LaneMask;

/// The function *schedule*: which threads make the next transition.
pub trait Grouping {
    /// Threads at one place, of the `live` ones, which have not ended and do not wait, and are one at least. Of those named,
    /// only the ones at the place of the lowest go; an empty set means to stop.
    fn schedule(&mut self, stacks: &[ThreadStack], live: LaneMask) -> LaneMask;
}

/// Those at the place of the thread that has waited longest: weakly fair.
#[derive(Clone, Debug, Default)]
pub struct OldestGroup {
    waited: Vec<u64>,
}

impl Grouping for OldestGroup {
    fn schedule(&mut self, stacks: &[ThreadStack], live: LaneMask) -> LaneMask {
        self.waited.resize(stacks.len(), 0);
        let oldest = live.lanes().max_by_key(|&thread| (self.waited[thread], stacks.len() - thread));
        let group = oldest.map_or(LaneMask::EMPTY, |thread| group_of(stacks, thread));
        self.waited.iter_mut().for_each(|waited| *waited += 1);
        group.lanes().for_each(|thread| self.waited[thread] = 0);
        group
    }
}

/// Those whose next statement stands first in the program: the lowest program counter, which is not fair.
#[derive(Clone, Copy, Debug, Default)]
pub struct LowestPlace;

impl Grouping for LowestPlace {
    fn schedule(&mut self, stacks: &[ThreadStack], live: LaneMask) -> LaneMask {
        let first = live.lanes().min_by_key(|&thread| match stacks[thread].last() {
            Some(ThreadItem::Statement(id) | ThreadItem::WhileAgain(id)) => (id.0, 0),
            Some(ThreadItem::Write(id, _)) => (id.0, 1),
            Some(ThreadItem::TakeResult(id)) => (id.0, 2),
            // Behind a loop or a function.
            Some(ThreadItem::Context(_)) | None => (u32::MAX, 0),
        });
        first.map_or(LaneMask::EMPTY, |thread| group_of(stacks, thread))
    }
}

/// The threads at the place of a thread: their stacks are equal, but for values that have been evaluated and not yet
/// written.
pub fn group_of(stacks: &[ThreadStack], thread: usize) -> LaneMask {
    let Some(here) = stacks.get(thread) else { return LaneMask::EMPTY };
    let same = |stack: &ThreadStack| {
        stack.len() == here.len()
            && stack.iter().zip(here).all(|(left, right)| match (left, right) {
                (ThreadItem::Write(left, _), ThreadItem::Write(right, _)) => left == right,
                _ => left == right,
            })
    };
    let threads = (0..stacks.len()).filter(|&other| same(&stacks[other]));
    threads.fold(LaneMask::EMPTY, |group, other| group | LaneMask::lane(other))
}

impl Interleaved {
    /// A stack-less warp transition: threads at one place make a transition each, in an order that `choice` picks. Of
    /// those given, the ones go that are at the place of the lowest. None if none is there, or they wait at a
    /// collective.
    ///
    /// # Errors
    /// A thread did something wrong. The configuration is as it was.
    pub fn step_group(
        &mut self,
        setting: &Setting<'_>,
        group: LaneMask,
        choice: &mut dyn Choice,
    ) -> Result<Option<(LaneMask, Vec<ThreadRule>)>, Fault> {
        let Some(lowest) = (group & self.live()).lanes().next() else { return Ok(None) };
        let group = group & group_of(&self.stacks, lowest);
        if self.collective(setting, lowest).is_some() {
            // All that have come to it, from wherever.
            return Ok(self.step(setting, lowest)?.map(|rule| (group, vec![rule])));
        }
        let mut after = self.clone();
        let mut rules = Vec::new();
        for thread in choice.order(group) {
            rules.extend(after.step(setting, thread)?);
        }
        *self = after;
        Ok(Some((group, rules)))
    }

    /// Runs without a stack as the schedule says, for at most so many transitions.
    pub fn run_groups(
        &mut self,
        setting: &Setting<'_>,
        schedule: &mut dyn Grouping,
        choice: &mut dyn Choice,
        fuel: u64,
        coverage: &mut Coverage,
    ) -> End {
        let mut waiting = LaneMask::EMPTY;
        for _ in 0..fuel {
            if let Some(end) = self.end(waiting) {
                return end;
            }
            let group = schedule.schedule(&self.stacks, self.live() - waiting);
            match self.step_group(setting, group, choice) {
                Ok(Some((_, rules))) => {
                    rules.into_iter().for_each(|rule| coverage.thread(rule));
                    waiting = LaneMask::EMPTY;
                }
                Ok(None) if group.is_empty() => return End::OutOfFuel,
                Ok(None) => waiting |= group,
                Err(fault) => return End::Fault(fault),
            }
        }
        self.end(waiting).unwrap_or(End::OutOfFuel)
    }
}
