//! A part's own copy of a slice, and what it has changed.
//!
//! Parts of a launch that run at the same time each see the slices as they were when the launch began, and what they have
//! written themselves. A page is looked through afterwards only if it has been written to.

use std::ops::Range;

/// Elements of a page.
const PAGE: usize = 1024;

/// A copy that knows which of its pages have been written to.
pub(crate) struct Private<T> {
    pub(super) words: Vec<T>,
    pub(super) pages: Pages,
}

/// Whether each page has been written to.
pub(crate) struct Pages(Vec<bool>);

/// What has been changed: runs of elements, and the elements of all runs.
pub(crate) struct Changes<T> {
    runs: Vec<Range<usize>>,
    words: Vec<T>,
}

impl Pages {
    /// Elements from `first` on are written.
    #[inline]
    pub(crate) fn mark(&mut self, first: usize, count: usize) {
        let last = first + count.saturating_sub(1);
        for page in self.0.iter_mut().take(last / PAGE + 1).skip(first / PAGE) {
            *page = true;
        }
    }
}

impl<T: Copy + PartialEq> Private<T> {
    pub(super) fn new(words: &[T]) -> Self {
        Self { words: words.to_vec(), pages: Pages(vec![false; words.len().div_ceil(PAGE)]) }
    }

    /// What differs from `base`, of which this is a copy. It is as it was, then.
    pub(super) fn take_changes(&mut self, base: &[T]) -> Changes<T> {
        let mut changes = Changes { runs: Vec::new(), words: Vec::new() };
        let pages = self.words.chunks_mut(PAGE).zip(base.chunks(PAGE)).zip(&mut self.pages.0).enumerate();
        for (number, ((own, base), page)) in pages {
            if !std::mem::take(page) {
                continue;
            }
            let mut at = 0;
            while let Some(length) = own[at..].iter().zip(&base[at..]).position(|(own, base)| own != base) {
                let first = at + length;
                let differing = own[first..].iter().zip(&base[first..]).take_while(|(own, base)| own != base).count();
                at = first + differing;
                changes.runs.push(number * PAGE + first..number * PAGE + at);
                changes.words.extend_from_slice(&own[first..at]);
            }
            own.copy_from_slice(base);
        }
        changes
    }
}

impl<T: Copy> Changes<T> {
    pub(super) fn apply(self, words: &mut [T]) {
        let mut from = &self.words[..];
        for run in self.runs {
            let (own, rest) = from.split_at(run.len());
            if let Some(words) = words.get_mut(run) {
                words.copy_from_slice(own);
            }
            from = rest;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn changes_are_what_has_been_written(
            length in 1..4000_usize,
            writes in prop::collection::vec((0..4000_usize, 1..40_usize, 0..3_u32), 0..30),
        ) {
            let base: Vec<u32> = (0..length as u32).map(|i| i % 3).collect();
            let mut private = Private::new(&base);
            let mut expected = base.clone();
            for (first, count, value) in writes {
                let (first, end) = (first % length, (first % length + count).min(length));
                private.words[first..end].fill(value);
                private.pages.mark(first, end - first);
                expected[first..end].fill(value);
            }
            let changes = private.take_changes(&base);
            prop_assert_eq!(&private.words, &base);
            prop_assert!(private.take_changes(&base).runs.is_empty());
            let mut joined = base;
            changes.apply(&mut joined);
            prop_assert_eq!(joined, expected);
        }
    }
}
