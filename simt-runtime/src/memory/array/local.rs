//! Arrays of threads.

use super::CHUNK;
use super::{ArrayWord, Elements};
use simt_core::ScalarType;

/// An array of each thread of a block. Elements of one index lie side by side, lane by lane: lanes that use the same index,
/// as they mostly do, have a row.
#[derive(Debug)]
pub(crate) struct LocalArray {
    elements: Elements,
    length: usize,
    /// Elements of one index: those of the lanes, filled up to whole chunks as the rows of registers are.
    width: usize,
    /// Where the elements of the warp that runs begin.
    first: usize,
}

impl LocalArray {
    pub(super) fn new(element: ScalarType, length: usize, width: usize, warps: usize) -> Self {
        let width = width.next_multiple_of(CHUNK);
        Self { elements: Elements::new(element, length * width * warps), length, width, first: 0 }
    }

    pub(super) fn select_warp(&mut self, warp: usize) {
        self.first = warp * self.length * self.width;
    }

    pub(super) fn size(&self) -> usize {
        self.elements.length()
    }

    pub(super) fn show(&self, image: &mut Vec<u64>) {
        self.elements.show(image);
    }

    pub(super) fn get(&self, index: usize, lane: usize) -> Option<u64> {
        self.elements.get(self.place(index, lane)?)
    }

    pub(super) fn set(&mut self, index: usize, lane: usize, bits: u64) {
        if let Some(place) = self.place(index, lane) {
            self.elements.set(place, bits);
        }
    }

    fn place(&self, index: usize, lane: usize) -> Option<usize> {
        (index < self.length).then(|| self.first + index * self.width + lane)
    }

    /// Number of elements of one thread.
    #[inline(always)]
    pub(crate) fn length(&self) -> usize {
        self.length
    }

    /// The elements of the warp that runs.
    #[inline(always)]
    pub(crate) fn read<T: ArrayWord>(&self) -> &[T] {
        T::of(&self.elements).get(self.first..self.first + self.length * self.width).unwrap_or_default()
    }

    /// The elements of the warp that runs, mutable.
    #[inline(always)]
    pub(crate) fn write<T: ArrayWord>(&mut self) -> &mut [T] {
        let end = self.first + self.length * self.width;
        T::of_mut(&mut self.elements).get_mut(self.first..end).unwrap_or_default()
    }

    pub(in crate::memory) fn save(&self, lane: usize, stack: &mut Vec<u64>) {
        let element = |index| self.elements.get(self.first + index * self.width + lane).unwrap_or(0);
        stack.extend((0..self.length).map(element));
    }

    pub(in crate::memory) fn restore(&mut self, lane: usize, stack: &mut Vec<u64>) {
        let saved = stack.len().saturating_sub(self.length);
        for (index, bits) in stack.drain(saved..).enumerate() {
            self.elements.set(self.first + index * self.width + lane, bits);
        }
    }
}
