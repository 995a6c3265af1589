//! Which threads have accessed each element of memory.
//!
//! Of each thread its last read and its last write are kept. Flanagan and Freund's *FastTrack* (PLDI 2009) forgets the
//! accesses before the last write, because an access that races with those races with the last write, too. Here writers of
//! the same value do not race, so that this does not follow.

use super::clocks::{Clocks, Element};
use simt_core::code::Pc;
use smallvec::SmallVec;
use std::collections::HashMap;

/// An access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Event {
    /// The thread of the block.
    pub(crate) thread: usize,
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

/// The accesses of an element.
#[derive(Debug, Default)]
struct Cell {
    /// The last write of each thread, by thread.
    writes: SmallVec<[Event; 1]>,
    /// The last read of each thread, by thread.
    reads: SmallVec<[Event; 1]>,
}

/// Replaces the last access of its thread.
fn note(events: &mut SmallVec<[Event; 1]>, event: Event) {
    match events.binary_search_by_key(&event.thread, |known| known.thread) {
        Ok(place) => events[place] = event,
        Err(place) => events.insert(place, event),
    }
}

/// All elements that the block has accessed.
#[derive(Debug, Default)]
pub(super) struct Cells(HashMap<Element, Cell>);

impl Cells {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Adds an access; returns an earlier one that nothing orders before it, if one of them writes.
    pub(super) fn access(&mut self, clocks: &Clocks, element: Element, event: Event) -> Option<Event> {
        let Cell { writes, reads } = self.0.entry(element).or_default();
        let races = |earlier: &&Event| !clocks.is_before(earlier.thread, earlier.then, event.thread);
        if !event.write {
            if let Some(earlier) = writes.iter().find(races) {
                return Some(*earlier);
            }
            note(reads, event);
            return None;
        }
        let differs = |earlier: &&Event| earlier.value != event.value;
        if let Some(earlier) = writes.iter().filter(differs).find(races).or_else(|| reads.iter().find(races)) {
            return Some(*earlier);
        }
        note(writes, event);
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const X: Element = (0, 7);

    /// The results of accesses: thread, and the value it writes; `meet` of all threads stands between them where there is no
    /// access.
    fn race(accesses: &[Option<(usize, Option<u64>)>]) -> Option<(usize, usize)> {
        let (mut clocks, mut cells) = (Clocks::new(4, 1), Cells::default());
        for access in accesses {
            let Some((thread, value)) = *access else {
                clocks.meet(0..4);
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
        let event = Event { thread, then, issue: 0, pc: Pc(0), write: value.is_some(), value };
        cells.access(clocks, X, event).map(|earlier| earlier.thread)
    }

    #[test]
    fn a_writer_that_is_ordered_does_not_hide_one_of_the_same_value_that_is_not() {
        let (mut clocks, mut cells) = (Clocks::new(4, 1), Cells::default());
        assert_eq!(access(&clocks, &mut cells, 0, None), None);
        clocks.meet(0..2);
        assert_eq!(access(&clocks, &mut cells, 1, Some(5)), None);
        assert_eq!(access(&clocks, &mut cells, 2, Some(5)), Some(0), "races with the read");

        let (mut clocks, mut cells) = (Clocks::new(4, 1), Cells::default());
        assert_eq!(access(&clocks, &mut cells, 0, Some(4)), None);
        clocks.meet(0..2);
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
