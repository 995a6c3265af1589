//! Which blocks have accessed each element of memory that blocks share.
//!
//! Of each element the last reads of two blocks are kept, and the last writes, two of a block that writes two values: what another
//! writes is not the same as both. With nothing that orders blocks, every race is found so; where something does, one with an access
//! that is not kept may be missed.

#[cfg(test)]
mod tests;

use super::by_address::{ByAddress, Earlier, PLAIN_WORDS, Racing, Strength, Unit, When, With, index_of, is_of_block};
use super::cells::Event;
use super::clocks::{Accesses, Clocks, Element, Handed};
use super::known::Knowledge;
use super::pages::{PAGE, Pages};

/// An access of a thread of some block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Access {
    pub(super) event: Event,
    pub(super) block: u32,
    /// How often all threads of the block had met.
    pub(super) era: u32,
}

impl AsRef<Event> for Access {
    fn as_ref(&self) -> &Event {
        &self.event
    }
}

/// One access of each element of a page, or none.
#[derive(Debug, Default)]
struct Last {
    accessed: u64,
    accesses: Option<Box<[Access; PAGE]>>,
}

impl Last {
    fn get(&self, element: usize) -> Option<&Access> {
        let accesses = self.accesses.as_ref().filter(|_| self.accessed >> element & 1 != 0)?;
        Some(&accesses[element])
    }

    fn set(&mut self, element: usize, access: Access) {
        self.accessed |= 1 << element;
        self.accesses.get_or_insert_with(|| Box::new([access; PAGE]))[element] = access;
    }
}

/// The last reads of a page's elements, or the last writes, of two blocks.
#[derive(Debug, Default)]
struct OfTwo {
    last: [Last; 3],
    /// The elements of which one of a third block has been forgotten.
    forgotten: u64,
}

impl OfTwo {
    fn of(&self, element: usize) -> impl Iterator<Item = &Access> {
        self.last.iter().filter_map(move |last| last.get(element))
    }

    /// Keeps an access in place of one of its block, unless that wrote another value, or as another of two blocks; of a third block,
    /// in place of one that is before it, an atomic or a volatile access in place of the oldest.
    fn note(&mut self, element: usize, now: &Now<'_>, strength: Strength) {
        let Access { event, block, .. } = &now.access;
        let is_one = !event.write || strength != Strength::Plain;
        let is_own = |known: &Access| known.block == *block;
        let find = |is: &dyn Fn(&Access) -> bool| self.last.iter().position(|last| last.get(element).is_some_and(is));
        let oldest = |of: &dyn Fn(&Access) -> bool| {
            let issue =
                |place: &usize| self.last[*place].get(element).filter(|known| of(known)).map(|known| known.event.issue);
            (0..self.last.len()).filter(|place| issue(place).is_some()).min_by_key(issue)
        };
        let free = || {
            let mut others = self.of(element).filter(|known| !is_own(known)).map(|known| known.block);
            let first = others.next();
            let is_of_two = others.all(|other| Some(other) == first);
            let is_room = is_of_two && self.of(element).filter(|known| is_own(known)).count() < 2;
            self.last.iter().position(|last| is_room && last.get(element).is_none())
        };
        let again = find(&|known| is_own(known) && (is_one || known.event.value == event.value));
        let place = again.or_else(free).or_else(|| oldest(&is_own)).or_else(|| {
            self.forgotten |= 1 << element;
            if strength == Strength::Plain { find(&|known| now.is_behind(known)) } else { oldest(&|_| true) }
        });
        if let Some(place) = place {
            self.last[place].set(element, now.access);
        }
    }
}

#[derive(Debug, Default)]
struct Page {
    reads: OfTwo,
    writes: OfTwo,
}

/// An access now, of a thread that knows this.
struct Now<'k> {
    access: Access,
    known: &'k Knowledge,
}

impl Now<'_> {
    /// Whether an earlier access is before it.
    fn is_behind(&self, earlier: &Access) -> bool {
        let Access { event: Event { thread, then, .. }, block, era } = *earlier;
        if block != self.access.block {
            return self.known.heard.knows(block, era, (thread, then));
        }
        era < self.access.era || thread == self.access.event.thread || self.known.own[thread as usize] >= then
    }

    /// The access of another block that it races with: not a write of the same, nor one that it has `seen`.
    fn find(
        &self,
        page: &Page,
        element: usize,
        is_same: &dyn Fn(Option<u64>) -> bool,
        seen: Option<u64>,
    ) -> Option<Access> {
        let write = self.access.event.write;
        let races = |earlier: &&Access| earlier.block != self.access.block && !self.is_behind(earlier);
        let differs = |Access { event, .. }: &&Access| {
            !(write && is_same(event.value)) && seen.is_none_or(|seen| event.issue > seen)
        };
        let written = page.writes.of(element).filter(differs).find(races);
        written.or_else(|| page.reads.of(element).filter(|_| write).find(races)).copied()
    }

    fn note(&self, page: &mut Page, element: usize, strength: Strength) {
        let accesses = if self.access.event.write { &mut page.writes } else { &mut page.reads };
        accesses.note(element, self, strength);
    }
}

/// Earlier accesses of other blocks, by address.
struct OfOthers<'a> {
    pages: &'a mut Pages<Page>,
    now: &'a Now<'a>,
}

impl Earlier for OfOthers<'_> {
    type Access = Access;

    fn as_seen(strength: Strength) -> Strength {
        strength.among_blocks()
    }

    fn racing(&mut self, with: &With<'_>, seen: Option<When>) -> Option<Access> {
        // Volatile accesses race among lanes of a warp.
        if with.racing != Racing::Any {
            return None;
        }
        let (page, within) = self.pages.page(with.element);
        self.now.find(page, within, with.is_same, seen.map(|(issue, _)| issue))
    }

    /// Of several threads of the block that have seen it, the last is kept, so one counts for all. It may have seen all by a read
    /// that has been forgotten; a write is only forgotten behind those that are kept.
    fn seen(&mut self, element: Element, strength: Strength) -> Option<When> {
        let (page, within) = self.pages.page(element);
        if page.reads.forgotten >> within & 1 != 0 {
            return Some((u64::MAX, 0));
        }
        let changes = page.writes.of(within).filter(|_| strength.is_atomic());
        let own = page.reads.of(within).chain(changes).filter(|access| access.block == self.now.access.block);
        own.map(|access| (access.event.issue, 0)).max()
    }
}

/// All elements that blocks have accessed, and what they have handed on to each other.
#[derive(Debug, Default)]
pub(super) struct Grid {
    pub(super) handed: Handed,
    pages: Pages<Page>,
    /// How they have accessed memory by address.
    by_address: ByAddress,
    /// The number of accesses, which those kept are numbered by.
    pub(super) accesses: Accesses,
}

impl Grid {
    /// Whether an atomic tells of an access, for others to acquire.
    pub(super) fn has_handed_on(&self, access: &Access) -> bool {
        let Access { event: Event { thread, then, .. }, block, era } = *access;
        self.handed.know(block, era, (thread, then))
    }

    /// An access by a thread of the block with these clocks, as it is kept, and what the thread knows.
    fn now<'c>(&mut self, clocks: &'c Clocks, event: Event) -> Now<'c> {
        self.accesses.set(self.accesses.get() + 1);
        let (block, era) = clocks.block();
        let access = Access { event: Event { issue: self.accesses.get(), ..event }, block, era };
        Now { access, known: clocks.known(event.thread) }
    }

    /// Adds an access; returns an earlier one of another block that nothing orders before it, if one of them writes, and the index
    /// or byte.
    pub(super) fn access(&mut self, clocks: &Clocks, element: Element, event: Event) -> Option<(Access, usize)> {
        if element.0 == PLAIN_WORDS {
            let address = element.1 * Unit::Word.bytes() as u64;
            if self.by_address.plain_words().is_none() {
                return self.access_at(clocks, (address, Unit::Word), event, Strength::Plain);
            }
            if is_of_block(address) {
                return None;
            }
        }
        let now = self.now(clocks, event);
        let (page, within) = self.pages.page(element);
        let earlier = now.find(page, within, &|earlier| earlier == event.value, None);
        if earlier.is_none() {
            now.note(page, within, Strength::Plain);
        }
        earlier.map(|earlier| (earlier, index_of((element.0, element.1 as usize), &event, &earlier.event)))
    }

    /// As [`access`](Self::access), of a byte or word by its generic address.
    pub(super) fn access_at(
        &mut self,
        clocks: &Clocks,
        (address, unit): (u64, Unit),
        event: Event,
        strength: Strength,
    ) -> Option<(Access, usize)> {
        if is_of_block(address) {
            return None;
        }
        let now = self.now(clocks, event);
        let by_address = self.by_address;
        let earlier = &mut OfOthers { pages: &mut self.pages, now: &now };
        let earlier = by_address.find((address, unit), &event, strength, earlier);
        if earlier.is_none() {
            let element = self.by_address.element((address, unit), strength);
            let (page, within) = self.pages.page(element);
            now.note(page, within, strength);
        }
        earlier.map(|(earlier, byte)| (earlier, byte as usize))
    }
}
