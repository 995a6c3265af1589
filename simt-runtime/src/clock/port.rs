//! The way of a core to its memory: accesses leave it in order, and wait when a level has no room.

use super::flights::UNKNOWN;
use crate::hierarchy::{Cycle, Hierarchy, Level, Request};
use std::collections::VecDeque;

/// Transactions that wait, and shared memory, which takes one pass a cycle.
#[derive(Debug, Default)]
pub(crate) struct MemoryPort {
    queue: VecDeque<Request>,
    /// The cycle until which shared memory and the constant cache are busy.
    shared: Cycle,
    /// The cycle until which the banks of the data cache are busy with an access.
    data: Cycle,
    /// Where lanes issue alone: for each bank of shared memory the cycle in which it is free again, and the word that it
    /// serves before that.
    banks: Vec<(Cycle, u64)>,
}

/// Transactions that may wait when another access comes: those of one access.
const ROOM: usize = 1;

impl MemoryPort {
    /// The cycle in which an access to shared memory can begin.
    pub(crate) fn shared_free(&self) -> Cycle {
        self.shared
    }

    /// Shared memory is busy with an access that begins now.
    pub(crate) fn take_shared(&mut self, now: Cycle, passes: u32) {
        self.shared = now + Cycle::from(passes.max(1));
    }

    /// The cycle in which a bank serves a lane that issues alone and wants a word of shared memory. Lanes that load one word
    /// are served together.
    pub(crate) fn take_bank(&mut self, now: Cycle, banks: usize, word: u64, loads: bool) -> Cycle {
        self.banks.resize(banks, (0, 0));
        let (free, served) = &mut self.banks[word as usize % banks];
        if loads && *free > now && *served == word {
            return *free - 1;
        }
        let begin = now.max(*free);
        (*free, *served) = (begin + 1, word);
        begin
    }

    /// The banks of the data cache are busy with an access that begins now.
    pub(crate) fn take_data(&mut self, now: Cycle, passes: u32) {
        self.data = now + Cycle::from(passes.max(1));
    }

    /// The cycle in which another access can come; not known while transactions wait.
    pub(crate) fn data_free(&self) -> Cycle {
        if self.has_room() { self.data } else { UNKNOWN }
    }

    /// Whether no transactions wait.
    pub(crate) fn has_room(&self) -> bool {
        self.queue.len() < ROOM
    }

    pub(crate) fn push(&mut self, request: Request) {
        self.queue.push_back(request);
    }

    /// Sends the transactions that the hierarchy takes now.
    pub(crate) fn send(&mut self, now: Cycle, hierarchy: &mut Hierarchy) {
        if self.queue.is_empty() {
            return;
        }
        // Offers come after the time up to them. Replies that were due have come before.
        hierarchy.advance(now, &mut Vec::new());
        while let Some(&request) = self.queue.front() {
            if !hierarchy.may_have_room(request.core) || hierarchy.offer(now, request).is_err() {
                return;
            }
            self.queue.pop_front();
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_that_issue_alone_meet_at_banks_only() {
        let mut port = MemoryPort::default();
        let mut take = |now, word, loads| port.take_bank(now, 16, word, loads);
        assert_eq!([take(5, 0, true), take(5, 1, true), take(5, 15, false)], [5, 5, 5]);
        // One word is there for all lanes that load it; another of the bank, and a store, have to wait.
        assert_eq!([take(5, 0, true), take(5, 16, true), take(5, 16, true), take(5, 16, false)], [5, 6, 6, 7]);
        assert_eq!(take(9, 16, true), 9);
    }
}
