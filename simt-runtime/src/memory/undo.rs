//! What a launch has overwritten, page by page, until it has succeeded.

use super::slot::MemoryWord;
use std::ops::Range;

/// Elements of a page.
///
/// **Assumed:** few enough that little is kept where threads write here and there, enough that keeping it costs no more than
/// copying.
const PAGE: usize = 1024;

/// Pages of a slice as they were before they were first written. By default nothing is kept.
pub(crate) struct Undo<T> {
    /// A bit for each page that has not been written, from [`begin`](Undo::begin) on.
    whole: Vec<u64>,
    /// The page that was written last.
    ///
    /// PERF: lanes of a warp mostly write one page. Looking that up first is 4 % of Collatz, which stores in every iteration
    /// (Intel Xeon, 2026-11-29); looking whether all lanes do, before the first of them stores, gained nothing more.
    last: usize,
    pages: Vec<usize>,
    /// Their elements, one page behind the other.
    ///
    /// PERF: an allocation for each page went back to the system at the end of each launch, and had to come again.
    elements: Vec<T>,
}

impl<T> Default for Undo<T> {
    fn default() -> Self {
        Self { whole: Vec::new(), last: usize::MAX, pages: Vec::new(), elements: Vec::new() }
    }
}

impl<T: MemoryWord> Undo<T> {
    /// From here on, what is overwritten of a slice of so many elements is kept.
    pub(super) fn begin(&mut self, length: usize) {
        self.last = usize::MAX;
        self.pages.clear();
        self.elements.clear();
        self.whole = vec![u64::MAX; length.div_ceil(PAGE).div_ceil(64)];
    }

    /// An element is about to be written.
    #[inline(always)]
    pub(super) fn keep(&mut self, words: &[T], index: usize) {
        let page = index / PAGE;
        if page != self.last {
            self.last = page;
            if self.is_whole(page) {
                self.keep_page(words, page);
            }
        }
    }

    /// Some elements from `first` on are: at least one, and at most as many as a page has.
    #[inline(always)]
    pub(super) fn keep_row(&mut self, words: &[T], first: usize, count: usize) {
        self.keep(words, first);
        self.keep(words, first + count - 1);
    }

    #[inline(always)]
    fn is_whole(&self, page: usize) -> bool {
        self.whole.get(page / 64).is_some_and(|bits| bits >> (page % 64) & 1 != 0)
    }

    #[cold]
    #[inline(never)]
    fn keep_page(&mut self, words: &[T], page: usize) {
        self.pages.push(page);
        self.elements.extend_from_slice(&words[place(page, words.len())]);
        self.whole[page / 64] &= !(1 << (page % 64));
    }

    /// What has been overwritten is as it was. It stays kept: what is written from here on can be undone again.
    pub(super) fn undo(&self, words: &mut [T]) {
        let mut old = &self.elements[..];
        for &page in &self.pages {
            let place = place(page, words.len());
            let (own, rest) = old.split_at(place.len());
            words[place].copy_from_slice(own);
            old = rest;
        }
    }
}

/// Where a page lies of so many elements.
fn place(page: usize, length: usize) -> Range<usize> {
    page * PAGE..length.min((page + 1) * PAGE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_overwritten_is_kept_by_pages(
            length in 1..200_000_usize,
            writes in prop::collection::vec((0..200_000_usize, 1..65_usize), 0..20),
        ) {
            let before: Vec<u16> = (0..length).map(|i| (i % 1000) as u16).collect();
            let (mut words, mut undo) = (before.clone(), Undo::default());
            undo.begin(length);
            let mut written = std::collections::BTreeSet::new();
            for (first, count) in writes {
                let (first, end) = (first % length, (first % length + count).min(length));
                undo.keep_row(&words, first, end - first);
                words[first..end].fill(7777);
                written.extend((first..end).map(|at| at / PAGE));
            }
            prop_assert_eq!(undo.pages.iter().copied().collect::<std::collections::BTreeSet<_>>(), written);
            undo.undo(&mut words);
            prop_assert_eq!(words, before);
        }
    }

    #[test]
    fn before_it_begins_nothing_is_kept() {
        let (mut words, mut undo) = (vec![1_u32; 10], Undo::default());
        undo.keep_row(&words, 0, 10);
        words.fill(2);
        undo.undo(&mut words);
        assert_eq!(words, [2; 10]);
    }
}
