//! Loads and stores of arrays.
//!
//! Elements are words of rows, so nothing is converted. Lanes that use neighbouring elements of a shared array, or the same
//! index of local ones, copy whole rows.

use super::super::CHUNK;
use super::super::isa::Isa;
use super::super::loops::write_predicate;
use super::super::row::{Any, Registers, RowWidth, Word, each_lane};
use super::super::slices::consecutive;
use crate::memory::{Array, ArrayWord, LocalArray, SharedArray};
use crate::plan::{LaneOp, Micro};
use simt_core::LaneMask;

/// The lowest active lane whose index fails a test.
///
/// PERF: a loop of its own. By `bits_of`, as rows of known width have it, bitonic sort took a tenth longer.
#[inline(always)]
fn first_lane(registers: &Registers, index: u16, isa: impl Isa, fails: impl Fn(u32) -> bool) -> Option<usize> {
    let index = Any(registers.chunks).row(&registers.words, index);
    let mut failed = 0;
    for (part, index) in index.iter().enumerate() {
        failed |= isa.movemask(each_lane(|lane| if fails(index.0[lane]) { !0 } else { 0 })) << (part * CHUNK);
    }
    LaneMask(failed & registers.mask.bits).lanes().next()
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
    isa: impl Isa,
) -> Option<usize> {
    match array {
        Array::Shared(array) => load_shared::<T>(registers, array, index, dst, isa),
        Array::Local(array) => load_local::<T>(registers, array, index, dst, isa),
    }
}

#[inline(always)]
pub(super) fn store<T: Word + ArrayWord>(
    registers: &mut Registers,
    array: &mut Array,
    index: u16,
    value: u16,
    isa: impl Isa,
) -> Option<usize> {
    match array {
        Array::Shared(array) => store_shared::<T>(registers, array, index, value, isa),
        Array::Local(array) => store_local::<T>(registers, array, index, value, isa),
    }
}

#[inline(always)]
fn load_shared<T: Word + ArrayWord>(
    registers: &mut Registers,
    array: &SharedArray,
    index: u16,
    dst: u16,
    isa: impl Isa,
) -> Option<usize> {
    let width = Any(registers.chunks);
    let lanes = width.chunks() * CHUNK;
    let elements = array.read::<T>();
    if let Some(first) = consecutive(registers, index, width, isa)
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
    let fails = if array.is_complete() {
        first_lane(registers, index, isa, |index| index >= end)
    } else {
        first_lane(registers, index, isa, |index| !array.has(index))
    };
    if fails.is_some() {
        return fails;
    }
    // PERF: loops, and blended even where all lanes are active: closures that are called twice are not inlined, and then
    // not compiled for the instruction set.
    let active = registers.mask.bits;
    let (rows, words) = T::split(registers);
    let (dst, index) = (width.start(dst), width.start(index));
    for part in 0..width.chunks() {
        // An inactive lane reads element 0, if there is one, and forgets it.
        let index = isa.blend_words(active, part, T::words(rows, words, index + part), [0; CHUNK]);
        let new = each_lane(|lane| elements.get(index[lane] as usize).copied().unwrap_or_default());
        rows[dst + part].0 = T::blend(isa, active, part, new, rows[dst + part].0);
    }
    None
}

#[inline(always)]
fn store_shared<T: Word + ArrayWord>(
    registers: &mut Registers,
    array: &mut SharedArray,
    index: u16,
    value: u16,
    isa: impl Isa,
) -> Option<usize> {
    let width = Any(registers.chunks);
    let mut array = array.write::<T>();
    if let Some(first) = consecutive(registers, index, width, isa)
        && let Some(elements) = array.range(first, width.chunks() * CHUNK)
    {
        let row = width.row(T::rows(registers), value);
        for (elements, chunk) in elements.as_chunks_mut().0.iter_mut().zip(row) {
            *elements = chunk.0;
        }
        return None;
    }
    let end = end(array.elements.len());
    let beyond = first_lane(registers, index, isa, |index| index >= end);
    if beyond.is_some() {
        return beyond;
    }
    let active = LaneMask(registers.mask.bits);
    let (rows, words) = T::split(registers);
    let (index, value) = (width.start(index), width.start(value));
    // In lane order: of two lanes that write one element, the higher one wins.
    for lane in active.lanes() {
        let (part, lane) = (lane / CHUNK, lane % CHUNK);
        array.set(T::words(rows, words, index + part)[lane] as usize, rows[value + part].0[lane]);
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
fn indices(registers: &Registers, row: u16, length: usize, isa: impl Isa) -> Indices {
    let index = Any(registers.chunks).row(&registers.words, row);
    let lane = registers.mask.bits.trailing_zeros() as usize % (index.len() * CHUNK);
    let first = index[lane / CHUNK].0[lane % CHUNK];
    let end = end(length);
    if first_lane(registers, row, isa, |index| index != first).is_none() {
        // All lanes use the same index, so that one comparison is enough.
        if first < end { Indices::Same(first as usize) } else { Indices::Beyond(Some(lane)) }
    } else {
        match first_lane(registers, row, isa, |index| index >= end) {
            None => Indices::Different,
            beyond => Indices::Beyond(beyond),
        }
    }
}

#[inline(always)]
fn load_local<T: Word + ArrayWord>(
    registers: &mut Registers,
    array: &LocalArray,
    index: u16,
    dst: u16,
    isa: impl Isa,
) -> Option<usize> {
    let width = Any(registers.chunks);
    let chunks = width.chunks();
    let elements = array.read::<T>();
    let indices = indices(registers, index, array.length(), isa);
    if array.is_unset()
        && !matches!(indices, Indices::Beyond(_))
        && let Some(lane) = unwritten(registers, array, index)
    {
        return Some(lane);
    }
    let active = registers.mask.bits;
    let (rows, words) = T::split(registers);
    let (dst, index) = (width.start(dst), width.start(index));
    match indices {
        Indices::Beyond(lane) => return lane,
        Indices::Same(index) => {
            let row = elements.as_chunks::<CHUNK>().0.get(index * chunks..(index + 1) * chunks).unwrap_or_default();
            for (part, new) in row.iter().enumerate() {
                rows[dst + part].0 = T::blend(isa, active, part, *new, rows[dst + part].0);
            }
        }
        Indices::Different => {
            for part in 0..chunks {
                let index = isa.blend_words(active, part, T::words(rows, words, index + part), [0; CHUNK]);
                let new = each_lane(|lane| {
                    let place = (index[lane] as usize * chunks + part) * CHUNK + lane;
                    elements.get(place).copied().unwrap_or_default()
                });
                rows[dst + part].0 = T::blend(isa, active, part, new, rows[dst + part].0);
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
    isa: impl Isa,
) -> Option<usize> {
    let width = Any(registers.chunks);
    let chunks = width.chunks();
    let indices = indices(registers, index, array.length(), isa);
    let active = LaneMask(registers.mask.bits);
    if array.is_unset() {
        active.lanes().for_each(|lane| array.mark(*registers.word(index, lane) as usize, lane));
    }
    let elements: &mut [[T; CHUNK]] = array.write::<T>().as_chunks_mut().0;
    let (rows, words) = T::split(registers);
    let (index, value) = (width.start(index), width.start(value));
    match indices {
        Indices::Beyond(lane) => return lane,
        Indices::Same(index) => {
            let old = elements.get_mut(index * chunks..(index + 1) * chunks).unwrap_or_default();
            for (part, old) in old.iter_mut().enumerate() {
                *old = T::blend(isa, active.0, part, rows[value + part].0, *old);
            }
        }
        Indices::Different => {
            for lane in active.lanes() {
                let (part, lane) = (lane / CHUNK, lane % CHUNK);
                let index = T::words(rows, words, index + part)[lane] as usize;
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

pub(super) fn store_bool(
    registers: &mut Registers,
    array: &mut Array,
    index: u16,
    value: u16,
    isa: impl Isa,
) -> Option<usize> {
    let length = array.length();
    let beyond = first_lane(registers, index, isa, |index| index as usize >= length);
    if beyond.is_none() {
        let values = registers.predicates[value as usize];
        for lane in LaneMask(registers.mask.bits).lanes() {
            array.set(*registers.word(index, lane) as usize, lane, values >> lane & 1);
        }
    }
    beyond
}
