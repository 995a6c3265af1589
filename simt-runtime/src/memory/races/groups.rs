//! The last accesses of an element that several threads have accessed.

use super::cells::Event;
use simt_core::LaneMask;

/// Accesses of threads that differ in nothing else. The threads are those of a multiple of 64 and the 63 behind it: a warp's
/// are, since its lanes are a power of two.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    /// The access of the thread that `threads` counts from.
    event: Event,
    threads: LaneMask,
}

impl Group {
    /// Accesses of that thread and those behind it, so many in all, of one warp.
    pub(super) fn new(event: Event, count: usize) -> Self {
        let within = event.thread % 64;
        debug_assert!(within as usize + count <= 64);
        let threads = LaneMask(LaneMask::first(count).0 << within);
        Self { event: Event { thread: event.thread - within, ..event }, threads }
    }

    /// Whether they write.
    pub(super) fn write(&self) -> bool {
        self.event.write
    }

    /// The accesses, by thread.
    pub(super) fn events(self) -> impl Iterator<Item = Event> {
        let event = self.event;
        self.threads.lanes().map(move |thread| Event { thread: event.thread + thread as u32, ..event })
    }
}

/// The accesses of an element: all of them reads, or all of them writes, and one of each thread. They are sorted by the thread
/// that each group counts from, which several may share.
#[derive(Debug, Default)]
pub(super) struct Groups(Vec<Group>);

impl Groups {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Adds accesses. They replace the last ones of their threads.
    pub(super) fn note(&mut self, group: Group) {
        let Event { thread, then, issue, pc, write, value } = group.event;
        // PERF: no error tells of which issue a read was. If that kept reads apart, each of a thousand threads that read a table
        // would be a group of its own.
        let is_same = |known: &Event| {
            let same_issue = known.issue == issue || !write && (known.pc, known.value) == (pc, value);
            known.then == then && same_issue
        };
        let mut at = self.0.partition_point(|known| known.event.thread < thread);
        let mut threads = group.threads;
        while let Some(known) = self.0.get_mut(at).filter(|known| known.event.thread == thread) {
            known.threads = known.threads - group.threads;
            if is_same(&known.event) {
                known.threads |= std::mem::take(&mut threads);
            }
            if known.threads.is_empty() {
                self.0.remove(at);
            } else {
                at += 1;
            }
        }
        if !threads.is_empty() {
            self.0.insert(at, group);
        }
    }

    /// The access, of the lowest thread, for which something holds.
    pub(super) fn find(&self, holds: impl Fn(&Event) -> bool) -> Option<Event> {
        let found = self.0.iter().filter_map(|group| group.events().find(|event| holds(event)));
        found.min_by_key(|event| event.thread)
    }
}

/// The accesses of all elements that several threads have accessed, by number.
#[derive(Debug, Default)]
pub(super) struct Lists {
    lists: Vec<Groups>,
    used: usize,
}

impl Lists {
    /// No list is used.
    pub(super) fn clear(&mut self) {
        self.used = 0;
    }

    /// The number of an empty list.
    pub(super) fn add(&mut self) -> u32 {
        if self.used == self.lists.len() {
            self.lists.push(Groups::default());
        }
        self.lists[self.used].clear();
        self.used += 1;
        self.used as u32 - 1
    }

    pub(super) fn get(&self, list: u32) -> &Groups {
        &self.lists[list as usize]
    }

    pub(super) fn get_mut(&mut self, list: u32) -> &mut Groups {
        &mut self.lists[list as usize]
    }
}
