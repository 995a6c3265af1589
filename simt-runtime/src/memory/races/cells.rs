//! Which threads have accessed each element of memory.
//!
//! Of each thread its last read and its last write are kept. Flanagan and Freund's *FastTrack* (PLDI 2009) forgets the
//! accesses before the last write, because an access that races with those races with the last write, too. Here writers of
//! the same value do not race, so that this does not follow.

use super::accesses::{Accesses, Joint};
use super::by_address::ByAddress;
use super::clocks::{Clocks, Element};
use super::groups::{Group, Lists};
use super::pages::Pages;
use simt_core::code::Pc;

/// An access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Event {
    /// The thread of the block.
    pub(crate) thread: u32,
    /// The time, by the thread's own clock.
    pub(super) then: u32,
    /// The number of the issue: lanes that access memory at once have one number.
    pub(crate) issue: u64,
    /// The instruction.
    pub(crate) pc: Pc,
    pub(crate) write: bool,
    /// The value that was written, or found, if it is known.
    pub(crate) value: Option<u64>,
}

impl AsRef<Self> for Event {
    fn as_ref(&self) -> &Self {
        self
    }
}

/// The accesses of consecutive elements.
#[derive(Debug, Default)]
pub(super) struct Page {
    /// Of which time they are: those of an earlier one are before all that comes.
    era: u64,
    pub(super) writes: Accesses,
    pub(super) reads: Accesses,
}

impl Page {
    /// The earlier access of an element with which a new one races: a write for which `written` holds or, if the new one writes, a
    /// read for which `read` does.
    #[inline(always)]
    pub(super) fn find(
        &self,
        element: usize,
        new: &Event,
        lists: &Lists,
        written: impl Fn(&Event) -> bool,
        read: impl Fn(&Event) -> bool,
    ) -> Option<Event> {
        match self.writes.find(element, true, lists, written) {
            None if new.write => self.reads.find(element, false, lists, read),
            earlier => earlier,
        }
    }

    /// Adds an access.
    #[inline(always)]
    pub(super) fn note(&mut self, element: usize, new: Event, lists: &mut Lists) {
        let accesses = if new.write { &mut self.writes } else { &mut self.reads };
        accesses.note(element, new, lists);
    }
}

/// All elements that the block has accessed.
#[derive(Debug, Default)]
pub(super) struct Cells {
    pages: Pages<Page>,
    lists: Lists,
    era: u64,
    /// How the block has accessed memory by address.
    pub(super) by_address: ByAddress,
}

impl Cells {
    /// Another block begins.
    pub(super) fn clear(&mut self) {
        self.pages.clear();
        self.by_address = Default::default();
        self.forget();
    }

    /// What has been accessed until now is before all that comes.
    pub(super) fn forget(&mut self) {
        self.lists.clear();
        self.era += 1;
    }

    /// The page of an element, and which of its elements that is.
    #[inline(always)]
    pub(super) fn page(&mut self, element: Element) -> (&mut Page, usize, &mut Lists) {
        let (page, within) = self.pages.page(element);
        if page.era != self.era {
            page.era = self.era;
            page.writes.clear();
            page.reads.clear();
        }
        (page, within, &mut self.lists)
    }

    /// Adds an access; returns an earlier one that nothing orders before it, if one of them writes.
    #[inline(always)]
    pub(super) fn access(&mut self, clocks: &Clocks, element: Element, event: Event) -> Option<Event> {
        let (page, within, lists) = self.page(element);
        let races = |earlier: &Event| !clocks.is_before(earlier.thread, earlier.then, event.thread);
        let differs = |earlier: &Event| !(event.write && earlier.value == event.value) && races(earlier);
        let earlier = page.find(within, &event, lists, differs, races);
        if earlier.is_none() {
            page.note(within, event, lists);
        }
        earlier
    }

    /// Adds reads of one element at one time; returns the lowest thread for which an earlier write is not before its read, and
    /// that write.
    pub(super) fn read(&mut self, clocks: &Clocks, element: Element, group: Group) -> Option<(u32, Event)> {
        let (Page { writes, reads, .. }, within, lists) = self.page(element);
        let racing = group.events().find_map(|Event { thread, .. }| {
            let races = |earlier: &Event| !clocks.is_before(earlier.thread, earlier.then, thread);
            writes.find(within, true, lists, races).map(|earlier| (thread, earlier))
        });
        if racing.is_none() {
            reads.note_group(within, group, lists);
        }
        racing
    }

    /// Adds accesses of consecutive elements, which lie in one page, by consecutive threads, if no other threads have accessed
    /// them, each its own. Returns whether that is so.
    pub(super) fn access_own(&mut self, first: Element, thread: u32, joint: &Joint<'_>) -> bool {
        let (Page { writes, reads, .. }, within, _) = self.page(first);
        let count = joint.then.len();
        let are_own = writes.are_own(within, count, thread) && reads.are_own(within, count, thread);
        if are_own {
            let accesses = if joint.write { writes } else { reads };
            accesses.note_own(within, thread, joint);
        }
        are_own
    }
}

#[cfg(test)]
mod tests {
    use super::super::clocks::WarpThreads;
    use super::*;
    use simt_core::LaneMask;

    const X: Element = (0, 7);
    const ALL: WarpThreads = WarpThreads { first: 0, lanes: LaneMask(0b1111) };
    const TWO: WarpThreads = WarpThreads { first: 0, lanes: LaneMask(0b11) };

    /// The results of accesses: thread, and the value it writes; `meet` of all threads stands between them where there is no
    /// access.
    fn race(accesses: &[Option<(usize, Option<u64>)>]) -> Option<(usize, usize)> {
        let (mut clocks, mut cells) = (Clocks::new(4, 1), Cells::default());
        for access in accesses {
            let Some((thread, value)) = *access else {
                assert!(clocks.meet(ALL));
                cells.forget();
                continue;
            };
            if let Some(earlier) = self::access(&clocks, &mut cells, thread, value) {
                return Some((earlier, thread));
            }
        }
        None
    }

    #[test]
    fn two_accesses_race_if_one_writes_and_nothing_is_between() {
        let (read, write) = (|thread| Some((thread, None)), |thread, value| Some((thread, Some(value))));
        assert_eq!(race(&[read(0), read(1), read(0), read(2)]), None);
        assert_eq!(race(&[write(0, 1), read(0), write(0, 2), read(0)]), None);
        assert_eq!(race(&[write(0, 1), read(1)]), Some((0, 1)));
        assert_eq!(race(&[read(1), write(0, 1)]), Some((1, 0)));
        assert_eq!(race(&[write(0, 1), write(1, 2)]), Some((0, 1)));
        assert_eq!(race(&[write(0, 1), None, read(1), None, write(2, 2), None, read(0)]), None);
        // What was read before the last barrier does not count, what was read behind it does.
        assert_eq!(race(&[read(0), read(1), None, read(2), write(3, 1)]), Some((2, 3)));
    }

    /// Adds an access of a thread now; returns the thread that it races with.
    fn access(clocks: &Clocks, cells: &mut Cells, thread: usize, value: Option<u64>) -> Option<usize> {
        let then = clocks.now(thread);
        let event = Event { thread: thread as u32, then, issue: 0, pc: Pc(0), write: value.is_some(), value };
        cells.access(clocks, X, event).map(|earlier| earlier.thread as usize)
    }

    #[test]
    fn a_writer_that_is_ordered_does_not_hide_one_of_the_same_value_that_is_not() {
        let (mut clocks, mut cells) = (Clocks::new(4, 1), Cells::default());
        assert_eq!(access(&clocks, &mut cells, 0, None), None);
        assert!(!clocks.meet(TWO));
        assert_eq!(access(&clocks, &mut cells, 1, Some(5)), None);
        assert_eq!(access(&clocks, &mut cells, 2, Some(5)), Some(0), "races with the read");

        let (mut clocks, mut cells) = (Clocks::new(4, 1), Cells::default());
        assert_eq!(access(&clocks, &mut cells, 0, Some(4)), None);
        assert!(!clocks.meet(TWO));
        assert_eq!(access(&clocks, &mut cells, 1, Some(5)), None);
        assert_eq!(access(&clocks, &mut cells, 2, Some(5)), Some(0), "races with the other value");
    }

    #[test]
    fn writers_of_the_same_value_do_not_race_but_each_with_readers() {
        let (read, write) = (|thread| Some((thread, None)), |thread, value| Some((thread, Some(value))));
        assert_eq!(race(&[write(0, 1), write(1, 1), write(0, 1), None, read(2)]), None);
        assert_eq!(race(&[write(0, 1), write(1, 1), read(0)]), Some((1, 0)));
        assert_eq!(race(&[write(0, 1), write(1, 1), read(1)]), Some((0, 1)));
        assert_eq!(race(&[write(0, 1), write(1, 1), write(2, 3)]), Some((0, 2)));
    }
}
