//! Arrays of threads.

use super::CHUNK;
use super::{Array, ArrayWord, Elements};
use crate::memory::Memory;
use simt_core::{LaneMask, program};

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
    /// Of an array that is declared without values, the lanes that have written an element, by warp and index; else empty.
    written: Vec<LaneMask>,
}

impl LocalArray {
    pub(super) fn new(array: &program::Array, width: usize, warps: usize) -> Self {
        let (length, width) = (array.length as usize, width.next_multiple_of(CHUNK));
        let written = if array.unset { vec![LaneMask::EMPTY; length * warps] } else { Vec::new() };
        Self { elements: Elements::new(array.element, length * width * warps), length, width, first: 0, written }
    }

    /// Whether its elements have no values until they are written.
    #[inline(always)]
    pub(crate) fn is_unset(&self) -> bool {
        !self.written.is_empty()
    }

    /// The lanes of the warp that runs which have written an element, of an array that has no values at first.
    fn written(&mut self, index: usize) -> Option<&mut LaneMask> {
        let first = self.first / self.width;
        if index < self.length { self.written.get_mut(first + index) } else { None }
    }

    /// Whether a lane of the warp that runs has written an element, or it had a value from the beginning.
    pub(crate) fn has(&self, index: usize, lane: usize) -> bool {
        self.written.get(self.first / self.width + index).is_none_or(|lanes| lanes.contains(lane))
    }

    /// A lane of the warp that runs writes an element.
    pub(crate) fn mark(&mut self, index: usize, lane: usize) {
        if let Some(lanes) = self.written(index) {
            *lanes |= LaneMask::lane(lane);
        }
    }

    /// Elements of lanes of the warp that runs have no values any more.
    fn forget(&mut self, lanes: LaneMask) {
        for index in 0..self.length {
            if let Some(written) = self.written(index) {
                *written = *written - lanes;
            }
        }
    }

    /// No element of any thread has a value.
    pub(super) fn begin(&mut self) {
        self.written.fill(LaneMask::EMPTY);
    }

    pub(super) fn select_warp(&mut self, warp: usize) {
        self.first = warp * self.length * self.width;
    }

    pub(super) fn size(&self) -> usize {
        self.elements.length()
    }

    pub(super) fn show(&self, image: &mut Vec<u64>) {
        self.elements.show(image);
        image.extend(self.written.iter().map(|lanes| lanes.0));
    }

    pub(super) fn get(&self, index: usize, lane: usize) -> Option<u64> {
        let place = self.place(index, lane)?;
        if self.has(index, lane) { self.elements.get(place) } else { None }
    }

    pub(super) fn set(&mut self, index: usize, lane: usize, bits: u64) {
        if let Some(place) = self.place(index, lane) {
            self.elements.set(place, bits);
            self.mark(index, lane);
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

    pub(super) fn save(&self, lane: usize, stack: &mut Vec<u64>) {
        let element = |index| self.elements.get(self.first + index * self.width + lane).unwrap_or(0);
        stack.extend((0..self.length).map(element));
        if self.is_unset() {
            stack.extend((0..self.length).map(|index| u64::from(self.has(index, lane))));
        }
    }

    pub(super) fn restore(&mut self, lane: usize, stack: &mut Vec<u64>) {
        if self.is_unset() {
            self.forget(LaneMask::lane(lane));
            let saved = stack.len().saturating_sub(self.length);
            for (index, had) in stack.drain(saved..).enumerate() {
                if had != 0 {
                    self.mark(index, lane);
                }
            }
        }
        let saved = stack.len().saturating_sub(self.length);
        for (index, bits) in stack.drain(saved..).enumerate() {
            self.elements.set(self.first + index * self.width + lane, bits);
        }
    }
}

impl Memory<'_> {
    /// Pushes a thread's elements of a local array on a stack, before a call that may use the array again.
    pub(crate) fn save_local(&self, slot: u16, lane: usize, stack: &mut Vec<u64>) {
        if let Some(Array::Local(array)) = self.array(slot) {
            array.save(lane, stack);
        }
    }

    /// Pops a thread's elements of a local array from that stack.
    pub(crate) fn restore_local(&mut self, slot: u16, lane: usize, stack: &mut Vec<u64>) {
        if let Some(Array::Local(array)) = self.array_mut(slot) {
            array.restore(lane, stack);
        }
    }

    /// A function begins that declares a local array without values.
    pub(crate) fn forget_local(&mut self, slot: u16, lanes: LaneMask) {
        if let Some(Array::Local(array)) = self.array_mut(slot) {
            array.forget(lanes);
        }
    }

    /// Threads begin, in the local arrays of others that have ended.
    pub(crate) fn begin_threads(&mut self) {
        self.arrays.iter_mut().for_each(|array| {
            if let Array::Local(array) = array {
                array.begin();
            }
        });
        self.spaces.iter_mut().for_each(|spaces| spaces.own().begin_threads());
    }
}
