//! Memory in pages: what is kept of consecutive elements lies together.

use super::clocks::Element;
use foldhash::fast::FixedState;
use std::collections::HashMap;
use std::ops::Range;

/// Elements of a page.
pub(super) const PAGE: usize = 32;

/// A page of memory: slot, and number in it.
type PageId = (u16, u64);

/// What is kept of each page that has been accessed.
#[derive(Debug, Default)]
pub(super) struct Pages<P> {
    /// Which of the pages each is.
    places: HashMap<PageId, usize, FixedState>,
    pages: Vec<P>,
    /// The page of the last access.
    last: Option<(PageId, usize)>,
}

impl<P: Default> Pages<P> {
    /// No page has been accessed. They are used again as they are.
    pub(super) fn clear(&mut self) {
        self.places.clear();
        self.last = None;
    }

    /// The page of an element, and which of its elements that is.
    #[inline(always)]
    pub(super) fn page(&mut self, (slot, index): Element) -> (&mut P, usize) {
        let id = (slot, index / PAGE as u64);
        let place = match self.last {
            Some((last, place)) if last == id => place,
            _ => self.turn_to(id),
        };
        (&mut self.pages[place], (index % PAGE as u64) as usize)
    }

    /// Finds a page that was not the last one.
    fn turn_to(&mut self, id: PageId) -> usize {
        let next = self.places.len();
        let index = *self.places.entry(id).or_insert(next);
        if index == self.pages.len() {
            self.pages.push(P::default());
        }
        self.last = Some((id, index));
        index
    }
}

/// The parts of a range that lie in one page each. None is empty if the range is not.
pub(super) fn pages(range: Range<u64>) -> impl Iterator<Item = Range<u64>> {
    let page = PAGE as u64;
    (range.start / page..range.end.div_ceil(page))
        .map(move |number| range.start.max(number * page)..range.end.min((number + 1) * page))
}
