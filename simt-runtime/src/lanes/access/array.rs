//! Loads and stores of arrays.
//!
//! Elements are words of rows, so nothing is converted. Lanes that use neighbouring elements of a shared array, or the same
//! index of local ones, copy whole rows.

use super::super::CHUNK;
use super::super::loops::{consecutive, write_predicate};
use super::super::row::{Any, MASK_ROW, Registers, RowWidth, Word, each_lane};
use crate::memory::{Array, ArrayWord, LocalArray, SharedArray};
use crate::plan::{LaneOp, Micro};
use simt_core::LaneMask;

/// The lowest active lane whose index fails a test.
#[cold]
fn first_lane(registers: &Registers, index: u16, fails: impl Fn(u32) -> bool) -> Option<usize> {
    let index = Any(registers.chunks).row(&registers.words, index);
    LaneMask(registers.mask.bits).lanes().find(|lane| fails(index[lane / CHUNK].0[lane % CHUNK]))
}

/// Whether an active lane's index fails a test.
#[inline(always)]
fn any_fails(registers: &Registers, index: u16, fails: impl Fn(u32) -> bool) -> bool {
    let width = Any(registers.chunks);
    let (index, mask) = (width.row(&registers.words, index), width.row(&registers.words, MASK_ROW));
    let mut failed = 0;
    for (index, mask) in index.iter().zip(mask) {
        for (index, mask) in index.0.iter().zip(mask.0) {
            failed |= if fails(*index) { mask } else { 0 };
        }
    }
    failed != 0
}

/// The length as an index is compared with it: one is 32 bits wide, and cannot exceed a longer array.
#[inline(always)]
fn end(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

#[inline(always)]
pub(super) fn load<T: Word + ArrayWord>(
    registers: &mut Registers,
    array: &Array,
    index: u16,
    dst: u16,
) -> Option<usize> {
    match array {
        Array::Shared(array) => load_shared::<T>(registers, array, index, dst),
        Array::Local(array) => load_local::<T>(registers, array, index, dst),
    }
}

#[inline(always)]
pub(super) fn store<T: Word + ArrayWord>(
    registers: &mut Registers,
    array: &mut Array,
    index: u16,
    value: u16,
) -> Option<usize> {
    match array {
        Array::Shared(array) => store_shared::<T>(registers, array, index, value),
        Array::Local(array) => store_local::<T>(registers, array, index, value),
    }
}

#[inline(always)]
fn load_shared<T: Word + ArrayWord>(
    registers: &mut Registers,
    array: &SharedArray,
    index: u16,
    dst: u16,
) -> Option<usize> {
    let width = Any(registers.chunks);
    let lanes = width.chunks() * CHUNK;
    let elements = array.read::<T>();
    if registers.mask.is_full()
        && let Some(first) = consecutive(width.row(&registers.words, index))
        && (array.is_complete() || array.has_all(first, lanes))
        && let Some(elements) = elements.get(first..first + lanes)
    {
        let row = width.row_mut(T::rows(registers), dst);
        for (chunk, elements) in row.iter_mut().zip(elements.as_chunks().0) {
            chunk.0 = *elements;
        }
        return None;
    }
    let end = end(elements.len());
    if array.is_complete() {
        if any_fails(registers, index, |index| index >= end) {
            return first_lane(registers, index, |index| index >= end);
        }
    } else if any_fails(registers, index, |index| !array.has(index)) {
        return first_lane(registers, index, |index| !array.has(index));
    }
    // PERF: loops, and blended even where all lanes are active: closures that are called twice are not inlined, and then
    // not compiled for the instruction set.
    let (rows, words) = T::split(registers);
    let (dst, index, mask) = (width.start(dst), width.start(index), width.start(MASK_ROW));
    for part in 0..width.chunks() {
        let (index, mask) = (T::keep(rows, words, index + part), T::keep(rows, words, mask + part));
        let row = &mut rows[dst + part].0;
        for lane in 0..CHUNK {
            // An inactive lane reads element 0, if there is one, and forgets it.
            let element = elements.get((index[lane] & mask[lane]) as usize).copied().unwrap_or_default();
            row[lane] = T::blend(element, row[lane], mask[lane]);
        }
    }
    None
}

#[inline(always)]
fn store_shared<T: Word + ArrayWord>(
    registers: &mut Registers,
    array: &mut SharedArray,
    index: u16,
    value: u16,
) -> Option<usize> {
    let width = Any(registers.chunks);
    let mut array = array.write::<T>();
    if registers.mask.is_full()
        && let Some(first) = consecutive(width.row(&registers.words, index))
        && let Some(elements) = array.range(first, width.chunks() * CHUNK)
    {
        let row = width.row(T::rows(registers), value);
        for (elements, chunk) in elements.as_chunks_mut().0.iter_mut().zip(row) {
            *elements = chunk.0;
        }
        return None;
    }
    let end = end(array.elements.len());
    if any_fails(registers, index, |index| index >= end) {
        return first_lane(registers, index, |index| index >= end);
    }
    let active = LaneMask(registers.mask.bits);
    let (rows, words) = T::split(registers);
    let (index, value) = (width.start(index), width.start(value));
    // In lane order: of two lanes that write one element, the higher one wins.
    for lane in active.lanes() {
        let (part, lane) = (lane / CHUNK, lane % CHUNK);
        array.set(T::keep(rows, words, index + part)[lane] as usize, rows[value + part].0[lane]);
    }
    None
}

/// The lowest active lane whose element has no value.
#[cold]
fn unwritten(registers: &mut Registers, array: &LocalArray, index: u16) -> Option<usize> {
    LaneMask(registers.mask.bits).lanes().find(|&lane| !array.has(*registers.word(index, lane) as usize, lane))
}

/// The indices that lanes use in a local array.
enum Indices {
    /// All active lanes the same index.
    Same(usize),
    Different,
    /// This lane, the lowest such, one beyond the end.
    Beyond(Option<usize>),
}

#[inline(always)]
fn indices(registers: &Registers, row: u16, length: usize) -> Indices {
    let index = Any(registers.chunks).row(&registers.words, row);
    let lane = registers.mask.bits.trailing_zeros() as usize % (index.len() * CHUNK);
    let first = index[lane / CHUNK].0[lane % CHUNK];
    let end = end(length);
    if !any_fails(registers, row, |index| index != first) {
        // All lanes use the same index, so that one comparison is enough.
        if first < end { Indices::Same(first as usize) } else { Indices::Beyond(Some(lane)) }
    } else if any_fails(registers, row, |index| index >= end) {
        Indices::Beyond(first_lane(registers, row, |index| index >= end))
    } else {
        Indices::Different
    }
}

#[inline(always)]
fn load_local<T: Word + ArrayWord>(
    registers: &mut Registers,
    array: &LocalArray,
    index: u16,
    dst: u16,
) -> Option<usize> {
    let width = Any(registers.chunks);
    let chunks = width.chunks();
    let elements = array.read::<T>();
    let indices = indices(registers, index, array.length());
    if array.is_unset()
        && !matches!(indices, Indices::Beyond(_))
        && let Some(lane) = unwritten(registers, array, index)
    {
        return Some(lane);
    }
    let (rows, words) = T::split(registers);
    let (dst, index, mask) = (width.start(dst), width.start(index), width.start(MASK_ROW));
    match indices {
        Indices::Beyond(lane) => return lane,
        Indices::Same(index) => {
            let row = elements.as_chunks::<CHUNK>().0.get(index * chunks..(index + 1) * chunks).unwrap_or_default();
            for (part, new) in row.iter().enumerate() {
                let (old, mask) = (rows[dst + part].0, T::keep(rows, words, mask + part));
                rows[dst + part].0 = each_lane(|lane| T::blend(new[lane], old[lane], mask[lane]));
            }
        }
        Indices::Different => {
            for part in 0..chunks {
                let (index, mask) = (T::keep(rows, words, index + part), T::keep(rows, words, mask + part));
                let row = &mut rows[dst + part].0;
                for lane in 0..CHUNK {
                    let place = ((index[lane] & mask[lane]) as usize * chunks + part) * CHUNK + lane;
                    row[lane] = T::blend(elements.get(place).copied().unwrap_or_default(), row[lane], mask[lane]);
                }
            }
        }
    }
    None
}

#[inline(always)]
fn store_local<T: Word + ArrayWord>(
    registers: &mut Registers,
    array: &mut LocalArray,
    index: u16,
    value: u16,
) -> Option<usize> {
    let width = Any(registers.chunks);
    let chunks = width.chunks();
    let indices = indices(registers, index, array.length());
    let active = LaneMask(registers.mask.bits);
    if array.is_unset() {
        active.lanes().for_each(|lane| array.mark(*registers.word(index, lane) as usize, lane));
    }
    let elements: &mut [[T; CHUNK]] = array.write::<T>().as_chunks_mut().0;
    let (rows, words) = T::split(registers);
    let (index, mask, value) = (width.start(index), width.start(MASK_ROW), width.start(value));
    match indices {
        Indices::Beyond(lane) => return lane,
        Indices::Same(index) => {
            let old = elements.get_mut(index * chunks..(index + 1) * chunks).unwrap_or_default();
            for (part, old) in old.iter_mut().enumerate() {
                let (new, mask) = (rows[value + part].0, T::keep(rows, words, mask + part));
                *old = each_lane(|lane| T::blend(new[lane], old[lane], mask[lane]));
            }
        }
        Indices::Different => {
            for lane in active.lanes() {
                let (part, lane) = (lane / CHUNK, lane % CHUNK);
                let index = T::keep(rows, words, index + part)[lane] as usize;
                if let Some(elements) = elements.get_mut(index * chunks + part) {
                    elements[lane] = rows[value + part].0[lane];
                }
            }
        }
    }
    None
}

pub(super) fn load_bool(registers: &mut Registers, array: &Array, index: u16, dst: u16) -> Option<usize> {
    let mut bits = 0;
    for lane in LaneMask(registers.mask.bits).lanes() {
        match array.get(*registers.word(index, lane) as usize, lane) {
            Some(element) => bits |= (element & 1) << lane,
            None => return Some(lane),
        }
    }
    let micro = Micro { op: LaneOp::Extended, local: false, dst, a: 0, b: 0 };
    write_predicate(registers, micro, bits);
    None
}

pub(super) fn store_bool(registers: &mut Registers, array: &mut Array, index: u16, value: u16) -> Option<usize> {
    let length = array.length();
    let beyond = first_lane(registers, index, |index| index as usize >= length);
    if beyond.is_none() {
        let values = registers.predicates[value as usize];
        for lane in LaneMask(registers.mask.bits).lanes() {
            array.set(*registers.word(index, lane) as usize, lane, values >> lane & 1);
        }
    }
    beyond
}
