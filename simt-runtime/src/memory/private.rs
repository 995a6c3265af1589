//! A part's own copy of a slice, and what it has written.
//!
//! Parts of a launch that run at the same time each see the slices as they were when the launch began, as far as they look at them
//! at all ([`Seen`]), and what they have written themselves. Only pages that have been written to are looked at afterwards.

use super::slot::{MemoryWord, Written};
use simt_core::ops::{AtomicMeaning, AtomicOp, atomic_meaning};
use simt_core::{LaneMask, ScalarType};
use std::ops::Range;

/// Elements of a page: as many as a word has bits.
const PAGE: usize = 64;

/// How what several parts have done to a slice becomes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Join {
    /// Nothing is written.
    Unchanged,
    /// Of parts that change one element, the last one's value stays.
    Last(Seen),
    /// Parts have done this to elements of this type, and have not looked at them: an operation whose order makes no
    /// difference. What is subtracted counts as added.
    Each(AtomicOp, ScalarType),
}

/// Which elements have to be right in a part's copy of a slice that threads write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// None: nothing depends on what an element was.
    Nothing,
    /// Those that have the numbers of the part's threads in the grid: each is accessed by its thread alone.
    Own,
    /// All: threads read elements that others may write, or how long turns are depends on whether stores change any.
    All,
}

/// A copy that knows which of its elements have been written.
pub(crate) struct Private<T> {
    pub(super) words: Vec<T>,
    pub(super) marks: Marks,
    join: Join,
}

/// The elements that have been written. By default there are none to be marked.
#[derive(Default)]
pub(crate) struct Marks {
    /// The pages that have some, each once.
    pages: Vec<usize>,
    /// A bit for each element of each page.
    bits: Vec<u64>,
}

/// What has been written: pages, each with a bit for each element that has been, and the words of those.
pub(crate) struct Changes<T> {
    pages: Vec<(usize, u64)>,
    words: Vec<T>,
    /// What a word of them is to be joined with the old one by, if it does not take its place.
    joined: Option<AtomicMeaning>,
}

impl Marks {
    fn of(length: usize) -> Self {
        Self { pages: Vec::new(), bits: vec![0; length.div_ceil(PAGE)] }
    }

    /// An element is written.
    #[inline]
    pub(crate) fn mark(&mut self, index: usize) {
        self.mark_page(index / PAGE, 1 << (index % PAGE));
    }

    /// So many elements from `first` on are written: at most as many as a page has.
    #[inline]
    pub(crate) fn mark_row(&mut self, first: usize, count: usize) {
        let row = u128::from(u64::MAX >> (PAGE - count.clamp(1, PAGE))) << (first % PAGE);
        self.mark_page(first / PAGE, row as u64);
        if row >> PAGE != 0 {
            self.mark_page(first / PAGE + 1, (row >> PAGE) as u64);
        }
    }

    #[inline]
    fn mark_page(&mut self, page: usize, elements: u64) {
        if let Some(bits) = self.bits.get_mut(page) {
            if *bits == 0 {
                self.pages.push(page);
            }
            *bits |= elements;
        }
    }
}

impl<T: MemoryWord> Private<T> {
    pub(super) fn new(words: &[T], join: Join) -> Self {
        let own = if join.copies() { words.to_vec() } else { vec![T::default(); words.len()] };
        Self { words: own, marks: Marks::of(words.len()), join }
    }

    /// A part begins whose threads have these numbers in the grid.
    pub(super) fn begin(&mut self, base: &[T], threads: Range<usize>) {
        if self.join == Join::Last(Seen::Own) {
            let own = threads.start.min(base.len())..threads.end.min(base.len());
            self.words[own.clone()].copy_from_slice(&base[own]);
        }
    }

    /// What has been written to this copy of `base`. It is for another part, then, which finds `base` where it looks at it.
    pub(super) fn take_changes(&mut self, base: &[T]) -> Changes<T> {
        let mut changes = Changes { pages: Vec::new(), words: Vec::new(), joined: self.join.joined() };
        let change = self.join.change();
        for page in self.marks.pages.drain(..) {
            let place = page * PAGE..(page * PAGE + PAGE).min(base.len());
            let (own, base) = (&mut self.words[place.clone()], &base[place]);
            let written = std::mem::take(&mut self.marks.bits[page]);
            changes.pages.push((page, written));
            match change {
                None if written == u64::MAX => changes.words.extend_from_slice(own),
                None => changes.words.extend(LaneMask(written).lanes().map(|at| own[at])),
                Some(change) => {
                    changes.words.extend(LaneMask(written).lanes().map(|at| of_both(change, own[at], base[at])));
                }
            }
            if self.join.copies() {
                own.copy_from_slice(base);
            }
        }
        changes
    }
}

impl Join {
    /// Whether a part copies the whole slice. PERF: of others it copies what its own threads read, so that pages that it neither
    /// reads nor writes cost nothing.
    pub(super) const fn copies(self) -> bool {
        !matches!(self, Self::Last(Seen::Nothing | Seen::Own))
    }

    /// What has been done to an element, from its value and that before.
    fn change(self) -> Option<AtomicMeaning> {
        match self {
            // The sum of what has been added.
            Self::Each(AtomicOp::Add, ty) => Some(atomic_meaning(AtomicOp::Sub, ty)),
            Self::Each(AtomicOp::Xor, ty) => Some(atomic_meaning(AtomicOp::Xor, ty)),
            Self::Unchanged | Self::Last(_) | Self::Each(..) => None,
        }
    }

    /// What an element becomes, from its value and what another part has done to it.
    fn joined(self) -> Option<AtomicMeaning> {
        match self {
            Self::Each(op, ty) => Some(atomic_meaning(op, ty)),
            Self::Unchanged | Self::Last(_) => None,
        }
    }
}

fn of_both<T: MemoryWord>(meaning: AtomicMeaning, first: T, second: T) -> T {
    T::from_bits(meaning(first.into(), second.into(), 0))
}

impl<T: MemoryWord> Changes<T> {
    pub(super) fn apply(self, all: &mut Written<'_, T>) {
        let mut from = &self.words[..];
        let length = all.words().len();
        for (page, written) in self.pages {
            let (own, rest) = from.split_at(written.count_ones() as usize);
            let first = page * PAGE;
            let Some(words) = all.row(first, PAGE.min(length - first)) else { return };
            if self.joined.is_none() && words.len() == own.len() {
                words.copy_from_slice(own);
            } else {
                for (at, &own) in LaneMask(written).lanes().zip(own) {
                    words[at] = self.joined.map_or(own, |joined| of_both(joined, words[at], own));
                }
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
            seen in prop::sample::select(vec![Seen::Nothing, Seen::Own, Seen::All]),
        ) {
            let base: Vec<u32> = (0..length as u32).map(|i| i % 3).collect();
            let mut private = Private::new(&base, Join::Last(seen));
            private.begin(&base, 0..length + 100);
            prop_assert!(seen == Seen::Nothing || private.words == base);
            let mut expected = base.clone();
            for (first, count, value) in writes {
                let (first, end) = (first % length, (first % length + count).min(length));
                private.words[first..end].fill(value);
                let rows = (first..end).step_by(PAGE);
                rows.for_each(|row| private.marks.mark_row(row, (end - row).min(PAGE)));
                expected[first..end].fill(value);
            }
            let changes = private.take_changes(&base);
            prop_assert!(seen != Seen::All || private.words == base);
            prop_assert!(private.take_changes(&base).pages.is_empty());
            let mut joined = base;
            changes.apply(&mut Written::unnoted(&mut joined));
            prop_assert_eq!(joined, expected);
        }
    }
}
