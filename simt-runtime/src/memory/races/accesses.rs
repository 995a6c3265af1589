//! The last accesses of a page's elements, by each thread that has accessed them: all of them reads, or all of them writes.

use super::cells::Event;
use super::groups::{Group, Lists};
use super::pages::PAGE;
use simt_core::LaneMask;
use simt_core::code::Pc;

/// Accesses of one issue, by consecutive threads, of consecutive elements.
#[derive(Clone, Copy, Debug)]
pub(super) struct Joint<'a> {
    /// The time of each access, by the thread's own clock.
    pub(super) then: &'a [u32],
    pub(super) issue: u64,
    pub(super) pc: Pc,
    pub(super) write: bool,
    /// The values, as many, if they are known.
    pub(super) values: Option<&'a [u64]>,
}

/// The last accesses of each element.
#[derive(Debug, Default)]
pub(super) struct Accesses {
    /// A bit for each element that has been accessed.
    accessed: u64,
    /// Those that several threads have accessed: the number of their list stands in place of a thread.
    shared: u64,
    /// Those with a known value.
    known: u64,
    events: Option<Box<Events>>,
}

/// The access of each element.
///
/// PERF: the threads apart, so that those of a warp are compared as vectors.
#[derive(Debug)]
struct Events {
    threads: [u32; PAGE],
    others: [Other; PAGE],
}

/// What else there is to say of an access.
#[derive(Clone, Copy, Debug)]
struct Other {
    issue: u64,
    value: u64,
    then: u32,
    pc: Pc,
}

impl Events {
    fn new() -> Box<Self> {
        let other = Other { issue: 0, value: 0, then: 0, pc: Pc(0) };
        Box::new(Self { threads: [0; PAGE], others: [other; PAGE] })
    }
}

/// The bits of consecutive elements.
fn bits(first: usize, count: usize) -> u64 {
    LaneMask::first(count).0 << first
}

impl Accesses {
    /// No element has been accessed.
    pub(super) fn clear(&mut self) {
        (self.accessed, self.shared) = (0, 0);
    }

    /// The access of an element, of the lowest thread, for which something holds. All of them are writes, or none.
    // PERF: `access` is compiled a second time for launches that compare blocks, whereupon this was no longer inlined.
    #[inline(always)]
    pub(super) fn find(
        &self,
        element: usize,
        write: bool,
        lists: &Lists,
        holds: impl Fn(&Event) -> bool,
    ) -> Option<Event> {
        let bit = 1 << element;
        let events = self.events.as_ref().filter(|_| self.accessed & bit != 0)?;
        if self.shared & bit != 0 {
            return lists.get(events.threads[element]).find(holds);
        }
        Some(self.event(events, element, write)).filter(holds)
    }

    /// The access of the only thread that has accessed an element.
    fn event(&self, events: &Events, element: usize, write: bool) -> Event {
        let Other { issue, value, then, pc } = events.others[element];
        let value = (self.known >> element & 1 != 0).then_some(value);
        Event { thread: events.threads[element], then, issue, pc, write, value }
    }

    /// Adds an access. It replaces the last one of its thread.
    #[inline]
    pub(super) fn note(&mut self, element: usize, event: Event, lists: &mut Lists) {
        let bit = 1 << element;
        let events = self.events.get_or_insert_with(Events::new);
        if self.accessed & bit != 0 && (self.shared & bit != 0 || events.threads[element] != event.thread) {
            return self.note_group(element, Group::new(event, 1), lists);
        }
        self.accessed |= bit;
        self.known = self.known & !bit | u64::from(event.value.is_some()) << element;
        let Event { thread, then, issue, pc, value, .. } = event;
        events.threads[element] = thread;
        events.others[element] = Other { issue, value: value.unwrap_or(0), then, pc };
    }

    /// Adds accesses of an element by several threads, or of one that others have accessed.
    pub(super) fn note_group(&mut self, element: usize, group: Group, lists: &mut Lists) {
        let bit = 1 << element;
        let mut events = self.events.take().unwrap_or_else(Events::new);
        if self.shared & bit == 0 {
            let list = lists.add();
            if self.accessed & bit != 0 {
                let known = self.event(&events, element, group.write());
                lists.get_mut(list).note(Group::new(known, 1));
            }
            events.threads[element] = list;
        }
        lists.get_mut(events.threads[element]).note(group);
        (self.accessed, self.shared) = (self.accessed | bit, self.shared | bit);
        self.events = Some(events);
    }

    /// Whether of so many elements each that has been accessed was accessed by its own of consecutive threads only. `false` if
    /// only some have been accessed, which is rare.
    pub(super) fn are_own(&self, first: usize, count: usize, thread: u32) -> bool {
        let bits = bits(first, count);
        let accessed = self.accessed & bits;
        let Some(events) = self.events.as_ref().filter(|_| accessed != 0) else { return true };
        let own = (thread..).zip(&events.threads[first..][..count]);
        accessed == bits
            && self.shared & bits == 0
            && own.fold(0, |differ, (thread, &known)| differ | thread ^ known) == 0
    }

    /// Adds accesses of consecutive elements, each by its own of consecutive threads, where no others have accessed them.
    pub(super) fn note_own(&mut self, first: usize, thread: u32, joint: &Joint<'_>) {
        let (count, events) = (joint.then.len(), self.events.get_or_insert_with(Events::new));
        let bits = bits(first, count);
        self.accessed |= bits;
        events.threads[first..][..count].iter_mut().zip(thread..).for_each(|(own, thread)| *own = thread);
        let Joint { then, issue, pc, values, .. } = *joint;
        let others = events.others[first..][..count].iter_mut().zip(then);
        match values {
            Some(values) => {
                self.known |= bits;
                for ((other, &then), &value) in others.zip(values) {
                    *other = Other { issue, value, then, pc };
                }
            }
            None => {
                self.known &= !bits;
                others.for_each(|(other, &then)| *other = Other { issue, value: 0, then, pc });
            }
        }
    }
}
