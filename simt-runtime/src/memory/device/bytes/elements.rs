//! Bytes as elements of one width, which lie from a multiple of the width on: an element's marks are in one word.

use super::{BITS, Bytes, mark};

/// Elements of `N` bytes, to be read.
pub(crate) struct Elements<'m, const N: usize> {
    /// Whether they have values or not.
    pub(crate) all: &'m [[u8; N]],
    written: &'m [u64],
    /// Where the first begins.
    at: usize,
    is_full: bool,
}

/// Elements of `N` bytes, to be written.
pub(crate) struct ElementsMut<'m, const N: usize> {
    /// What is written here must be [marked](Self::mark).
    pub(crate) all: &'m mut [[u8; N]],
    written: &'m mut [u64],
    at: usize,
    unwritten: &'m mut usize,
}

/// The word that has the marks of an element, and its marks there.
#[inline(always)]
fn marks<const N: usize>(at: usize, index: usize) -> (usize, u64) {
    let at = at + index * N;
    (at / BITS, (u64::MAX >> (BITS - N)) << (at % BITS))
}

impl Bytes {
    /// Elements in `count` bytes from `at` on; `None` unless those are there, and `at` is a multiple of an element's.
    #[inline(always)]
    pub(crate) fn elements<const N: usize>(&self, at: usize, count: usize) -> Option<Elements<'_, N>> {
        let all = self.data.get(at..at.checked_add(count)?)?.as_chunks().0;
        let is_full = self.unwritten == 0;
        at.is_multiple_of(N).then_some(Elements { all, written: &self.written, at, is_full })
    }

    /// As [`elements`](Self::elements), to be written.
    #[inline(always)]
    pub(crate) fn elements_mut<const N: usize>(&mut self, at: usize, count: usize) -> Option<ElementsMut<'_, N>> {
        let Self { data, written, unwritten, .. } = self;
        let all = data.get_mut(at..at.checked_add(count)?)?.as_chunks_mut().0;
        at.is_multiple_of(N).then_some(ElementsMut { all, written, at, unwritten })
    }
}

impl<const N: usize> Elements<'_, N> {
    /// Whether all of the memory that they are a part of has values.
    ///
    /// PERF: then no mark is looked at.
    #[inline(always)]
    pub(crate) fn are_full(&self) -> bool {
        self.is_full
    }

    /// Whether an element has a value.
    #[inline(always)]
    pub(crate) fn has(&self, index: usize) -> bool {
        let (word, marks) = marks::<N>(self.at, index);
        self.written.get(word).is_some_and(|written| written & marks == marks)
    }
}

impl<const N: usize> ElementsMut<'_, N> {
    /// As [`Elements::are_full`]: then none needs to be marked.
    #[inline(always)]
    pub(crate) fn are_full(&self) -> bool {
        *self.unwritten == 0
    }

    /// So many elements from one on, which are there, have values.
    #[inline(always)]
    pub(crate) fn mark(&mut self, first: usize, count: usize) {
        mark(self.written, self.unwritten, self.at + first * N, count * N);
    }
}
