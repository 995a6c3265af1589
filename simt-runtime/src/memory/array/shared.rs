//! Arrays of a block.

use super::{ArrayWord, Elements, Unwritten};
use crate::memory::copy_extended;
use simt_core::ScalarType;

/// An array of a block. Each element has the *stamp* of the block that wrote it last: an element that an earlier block wrote
/// counts as unwritten, so that no memory is cleared when a block begins.
#[derive(Debug)]
pub(crate) struct SharedArray {
    elements: Elements,
    written: Vec<u32>,
    /// The stamp of the block that runs; never 0, which is the stamp of no block.
    stamp: u32,
    /// The number of elements that this block has not written.
    unwritten: usize,
}

/// The target of stores: the elements, and the stamps of the blocks that wrote them.
pub(crate) struct Writer<'a, T> {
    pub(crate) elements: &'a mut [T],
    written: &'a mut [u32],
    stamp: u32,
    unwritten: &'a mut usize,
}

impl SharedArray {
    pub(super) fn new(element: ScalarType, length: usize) -> Self {
        let elements = Elements::new(element, length);
        Self { elements, written: vec![0; length], stamp: 1, unwritten: length }
    }

    pub(super) fn length(&self) -> usize {
        self.written.len()
    }

    /// Bytes of its elements, each a word of a row.
    pub(super) fn bytes(&self) -> usize {
        match &self.elements {
            Elements::Words(words) => words.len() * 4,
            Elements::Wides(words) => words.len() * 8,
        }
    }

    pub(super) fn begin_block(&mut self, block: usize) {
        self.stamp = (block as u32).wrapping_add(1);
        if self.stamp == 0 {
            // All numbers have been used.
            self.written.fill(0);
            self.stamp = 1;
        }
        self.unwritten = self.written.len();
    }

    pub(super) fn show(&self, image: &mut Vec<u64>) {
        self.elements.show(image);
        image.extend(self.written.iter().map(|&by| u64::from(by == self.stamp)));
    }

    #[inline]
    pub(super) fn get(&self, index: usize) -> Option<u64> {
        (self.written.get(index) == Some(&self.stamp)).then(|| self.elements.get(index)).flatten()
    }

    /// Copies the bits of consecutive elements; `None` unless all have been written.
    pub(super) fn copy_bits(&self, first: usize, values: &mut [u64]) -> Option<()> {
        if !self.has_all(first, values.len()) {
            return None;
        }
        let range = first..first + values.len();
        match &self.elements {
            Elements::Words(words) => copy_extended(values, words.get(range)?),
            Elements::Wides(words) => copy_extended(values, words.get(range)?),
        }
        Some(())
    }

    #[inline]
    pub(super) fn set(&mut self, index: usize, bits: u64) {
        if let Some(written) = self.written.get_mut(index) {
            self.unwritten -= usize::from(*written != self.stamp);
            *written = self.stamp;
            self.elements.set(index, bits);
        }
    }

    pub(super) fn unwritten(&self, index: usize) -> Option<Unwritten> {
        let stamp = *self.written.get(index)?;
        (stamp != self.stamp).then(|| Unwritten { by_block: stamp.checked_sub(1).map(|block| block as usize) })
    }

    /// The elements; those that this block has not written have no meaning.
    #[inline(always)]
    pub(crate) fn read<T: ArrayWord>(&self) -> &[T] {
        T::of(&self.elements)
    }

    /// Whether this block has written every element.
    ///
    /// PERF: a tile is mostly filled before it is read, and its loads then cost no more than those of a slice.
    #[inline(always)]
    pub(crate) fn is_complete(&self) -> bool {
        self.unwritten == 0
    }

    /// Whether there is an element of an index, and this block has written it.
    #[inline(always)]
    pub(crate) fn has(&self, index: u32) -> bool {
        self.written.get(index as usize) == Some(&self.stamp)
    }

    /// Whether all of `count` elements from `first` on have been written.
    #[inline(always)]
    pub(crate) fn has_all(&self, first: usize, count: usize) -> bool {
        let written = first.checked_add(count).and_then(|end| self.written.get(first..end));
        written.is_some_and(|written| written.iter().fold(0, |differ, by| differ | (by ^ self.stamp)) == 0)
    }

    #[inline(always)]
    pub(crate) fn write<T: ArrayWord>(&mut self) -> Writer<'_, T> {
        let Self { elements, written, stamp, unwritten } = self;
        Writer { elements: T::of_mut(elements), written, stamp: *stamp, unwritten }
    }
}

impl<T: ArrayWord> Writer<'_, T> {
    /// Writes an element that exists.
    #[inline(always)]
    pub(crate) fn set(&mut self, index: usize, value: T) {
        if let (Some(element), Some(by)) = (self.elements.get_mut(index), self.written.get_mut(index)) {
            *element = value;
            *self.unwritten -= usize::from(*by != self.stamp);
            *by = self.stamp;
        }
    }

    /// The `count` elements from `first` on, which have been written; `None` if not all of them exist.
    #[inline(always)]
    pub(crate) fn range(&mut self, first: usize, count: usize) -> Option<&mut [T]> {
        let range = first..first.checked_add(count)?;
        let written = self.written.get_mut(range.clone())?;
        // PERF: a sum of words, which the compiler vectorises.
        let new: u32 = written.iter().map(|by| u32::from(*by != self.stamp)).sum();
        *self.unwritten -= new as usize;
        written.fill(self.stamp);
        self.elements.get_mut(range)
    }
}
