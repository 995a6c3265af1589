//! The loops over lanes: one generic function for each shape of operation.
//!
//! A row is worked on in chunks held in local arrays, which is what lets the compiler vectorise. A destination that dies
//! inside its segment is written without blending: its inactive lanes are never read.

use super::row::{Cell, Chunk, MASK_ROW, MAX_CHUNKS, Registers, RowWidth, Word};
use super::{CHUNK, Micro};
use crate::memory::{Memory, MemoryWord};
use simt_core::LaneMask;

/// A row.
#[inline(always)]
fn row<T>(rows: &[Chunk<T>], row: u16, width: impl RowWidth) -> &[Chunk<T>] {
    &rows[row as usize * width.chunks()..][..width.chunks()]
}

/// Whether a write must keep what inactive lanes hold.
#[inline(always)]
fn blends(registers: &Registers, micro: Micro) -> bool {
    !(micro.local | registers.mask.is_full())
}

/// The row that `new` computes part by part, with inactive lanes as they were if it `blend`s. The choice is made once,
/// outside the loop, and the row is complete before any of it is written: a destination may be an operand too.
#[inline(always)]
fn finish<T: Word>(
    rows: &[Chunk<T>],
    words: &[Chunk<u32>],
    micro: Micro,
    blend: bool,
    width: impl RowWidth,
    new: impl Fn(usize) -> [T; CHUNK],
) -> [Chunk<T>; MAX_CHUNKS] {
    let mut out = [Chunk::default(); MAX_CHUNKS];
    let parts = width.chunks().min(MAX_CHUNKS);
    if blend {
        let (old, keep) = (row(rows, micro.dst, width), T::mask_row(rows, words, width));
        for part in 0..parts {
            let (new, old, keep) = (new(part), old[part].0, keep[part].0);
            out[part].0 = std::array::from_fn(|lane| T::blend(new[lane], old[lane], keep[lane]));
        }
    } else {
        for part in 0..parts {
            out[part].0 = new(part);
        }
    }
    out
}

#[inline(always)]
fn put<T: Copy>(rows: &mut [Chunk<T>], micro: Micro, width: impl RowWidth, new: &[Chunk<T>; MAX_CHUNKS]) {
    let parts = width.chunks();
    rows[micro.dst as usize * parts..][..parts].copy_from_slice(&new[..parts]);
}

/// Writes a row that does not depend on rows of its own kind.
#[inline(always)]
pub(super) fn write<T: Word>(
    registers: &mut Registers,
    micro: Micro,
    width: impl RowWidth,
    new: impl Fn(usize) -> [T; CHUNK],
) {
    let blend = blends(registers, micro);
    let (rows, words) = T::split(registers);
    let new = finish(rows, words, micro, blend, width, new);
    put(rows, micro, width, &new);
}

/// A copy of a row.
#[inline(always)]
fn copy<T: Copy + Default>(rows: &[Chunk<T>], number: u16, width: impl RowWidth) -> [Chunk<T>; MAX_CHUNKS] {
    let mut copy = [Chunk::default(); MAX_CHUNKS];
    for (copy, chunk) in copy.iter_mut().zip(row(rows, number, width)) {
        *copy = *chunk;
    }
    copy
}

#[inline(always)]
pub(super) fn map2<T: Cell>(registers: &mut Registers, micro: Micro, width: impl RowWidth, f: impl Fn(T, T) -> T) {
    let blend = blends(registers, micro);
    let (rows, words) = T::Word::split(registers);
    let (a, b) = (row(rows, micro.a, width), row(rows, micro.b, width));
    let new = |part: usize| {
        std::array::from_fn(|lane| f(T::from_word(a[part].0[lane]), T::from_word(b[part].0[lane])).to_word())
    };
    let new = finish(rows, words, micro, blend, width, new);
    put(rows, micro, width, &new);
}

#[inline(always)]
pub(super) fn map1<T: Cell, U: Cell>(registers: &mut Registers, micro: Micro, width: impl RowWidth, f: impl Fn(T) -> U) {
    let a = copy(T::Word::rows(registers), micro.a, width);
    write::<U::Word>(registers, micro, width, |part| {
        std::array::from_fn(|lane| f(T::from_word(a[part].0[lane])).to_word())
    });
}

/// Shifts a wide row by counts in a row of words.
#[inline(always)]
pub(super) fn shift<T: Cell<Word = u64>>(
    registers: &mut Registers,
    micro: Micro,
    width: impl RowWidth,
    f: impl Fn(T, T) -> T,
) {
    let blend = blends(registers, micro);
    let (wides, words) = u64::split(registers);
    let (a, b) = (row(wides, micro.a, width), row(words, micro.b, width));
    let new = |part: usize| {
        std::array::from_fn(|lane| f(T::from_word(a[part].0[lane]), T::from_word(u64::from(b[part].0[lane]))).to_word())
    };
    let new = finish(wides, words, micro, blend, width, new);
    put(wides, micro, width, &new);
}

/// Integer division: not a vector instruction anywhere, and only active lanes may fault.
#[inline(always)]
pub(super) fn divide<T: Cell + PartialEq>(
    registers: &mut Registers,
    micro: Micro,
    width: impl RowWidth,
    zero: T,
    f: impl Fn(T, T) -> T,
) -> Option<usize> {
    let start = |row: u16| row as usize * width.chunks();
    let (dst, a, b) = (start(micro.dst), start(micro.a), start(micro.b));
    let active = LaneMask(registers.mask.bits);
    let rows = T::Word::rows(registers);
    for lane in active.lanes() {
        let (part, lane_in) = (lane / CHUNK, lane % CHUNK);
        let divisor = T::from_word(rows[b + part].0[lane_in]);
        if divisor == zero {
            return Some(lane);
        }
        rows[dst + part].0[lane_in] = f(T::from_word(rows[a + part].0[lane_in]), divisor).to_word();
    }
    None
}

#[inline(always)]
pub(super) fn compare<T: Cell>(
    registers: &mut Registers,
    micro: Micro,
    width: impl RowWidth,
    movemask: impl Fn([u32; CHUNK]) -> u64,
    f: impl Fn(T, T) -> bool,
) {
    let rows = &*T::Word::rows(registers);
    let (a, b) = (row(rows, micro.a, width), row(rows, micro.b, width));
    let mut bits = 0;
    for part in 0..width.chunks() {
        let (a, b) = (a[part].0, b[part].0);
        let words = std::array::from_fn(|lane| if f(T::from_word(a[lane]), T::from_word(b[lane])) { !0 } else { 0 });
        bits |= movemask(words) << (part * CHUNK);
    }
    write_predicate(registers, micro, bits);
}

#[inline(always)]
pub(super) fn write_predicate(registers: &mut Registers, micro: Micro, bits: u64) {
    let active = registers.mask.bits;
    let predicate = &mut registers.predicates[micro.dst as usize];
    *predicate = (bits & active) | (*predicate & !active);
}

/// The lowest active lane whose index is not below the length.
#[inline(always)]
fn out_of_bounds(
    index: &[Chunk<u32>],
    active: u64,
    length: usize,
    movemask: impl Fn([u32; CHUNK]) -> u64,
) -> Option<usize> {
    // An index is 32 bits wide; a longer slice cannot be exceeded by it.
    let length = u32::try_from(length).unwrap_or(u32::MAX);
    let mut bits = 0;
    for (part, index) in index.iter().enumerate() {
        let words = std::array::from_fn(|lane| if index.0[lane] >= length { !0 } else { 0 });
        bits |= movemask(words) << (part * CHUNK);
    }
    let bits = bits & active;
    (bits != 0).then(|| bits.trailing_zeros() as usize)
}

/// If all lanes access consecutive elements, the first index.
#[inline(always)]
fn consecutive(index: &[Chunk<u32>]) -> Option<usize> {
    let first = index.first()?.0[0];
    let mut differ = 0;
    for (part, index) in index.iter().enumerate() {
        for (lane, index) in index.0.into_iter().enumerate() {
            differ |= index ^ first.wrapping_add((part * CHUNK + lane) as u32);
        }
    }
    (differ == 0).then_some(first as usize)
}

#[inline(always)]
pub(super) fn load<E: MemoryWord, T: Cell>(
    registers: &mut Registers,
    micro: Micro,
    width: impl RowWidth,
    memory: &Memory<'_>,
    movemask: impl Fn([u32; CHUNK]) -> u64,
    f: impl Fn(E) -> T,
) -> Option<usize> {
    let chunks = width.chunks();
    let elements = memory.read::<E>(micro.b);
    let index = &registers.words[micro.a as usize * chunks..][..chunks];
    if let Some(lane) = out_of_bounds(index, registers.mask.bits, elements.len(), movemask) {
        return Some(lane);
    }
    if registers.mask.is_full()
        && let Some(first) = consecutive(index)
        && let Some(elements) = elements.get(first..first + chunks * CHUNK)
    {
        let row = &mut T::Word::rows(registers)[micro.dst as usize * chunks..][..chunks];
        for (chunk, elements) in row.iter_mut().zip(elements.chunks_exact(CHUNK)) {
            chunk.0 = std::array::from_fn(|lane| f(elements[lane]).to_word());
        }
        return None;
    }
    let (index, mask) = (copy(&registers.words, micro.a, width), copy(&registers.words, MASK_ROW, width));
    write::<T::Word>(registers, micro, width, |part| {
        // An inactive lane reads element 0, if there is one, and forgets it.
        std::array::from_fn(|lane| {
            let index = index[part].0[lane] & mask[part].0[lane];
            elements.get(index as usize).map_or(T::Word::default(), |&element| f(element).to_word())
        })
    });
    None
}

#[inline(always)]
pub(super) fn store<E: MemoryWord, T: Cell>(
    registers: &mut Registers,
    micro: Micro,
    width: impl RowWidth,
    memory: &mut Memory<'_>,
    movemask: impl Fn([u32; CHUNK]) -> u64,
    f: impl Fn(T) -> E,
) -> Option<usize> {
    let chunks = width.chunks();
    let elements = memory.write::<E>(micro.b);
    let index = &registers.words[micro.a as usize * chunks..][..chunks];
    if let Some(lane) = out_of_bounds(index, registers.mask.bits, elements.len(), movemask) {
        return Some(lane);
    }
    if registers.mask.is_full()
        && let Some(first) = consecutive(index)
        && let Some(elements) = elements.get_mut(first..first + chunks * CHUNK)
    {
        let row = &T::Word::rows(registers)[micro.dst as usize * chunks..][..chunks];
        for (chunk, elements) in row.iter().zip(elements.chunks_exact_mut(CHUNK)) {
            for (element, &word) in elements.iter_mut().zip(&chunk.0) {
                *element = f(T::from_word(word));
            }
        }
        return None;
    }
    // In lane order: of two lanes that write one element, the higher one wins.
    for lane in LaneMask(registers.mask.bits).lanes() {
        let (part, lane) = (lane / CHUNK, lane % CHUNK);
        let index = registers.words[micro.a as usize * chunks + part].0[lane];
        let value = T::Word::rows(registers)[micro.dst as usize * chunks + part].0[lane];
        if let Some(element) = elements.get_mut(index as usize) {
            *element = f(T::from_word(value));
        }
    }
    None
}

#[inline(always)]
pub(super) fn load_bool(
    registers: &mut Registers,
    micro: Micro,
    width: impl RowWidth,
    memory: &Memory<'_>,
    movemask: impl Fn([u32; CHUNK]) -> u64,
) -> Option<usize> {
    let elements = memory.read::<u8>(micro.b);
    let index = &registers.words[micro.a as usize * width.chunks()..][..width.chunks()];
    if let Some(lane) = out_of_bounds(index, registers.mask.bits, elements.len(), movemask) {
        return Some(lane);
    }
    let mut bits = 0;
    for lane in LaneMask(registers.mask.bits).lanes() {
        let index = index[lane / CHUNK].0[lane % CHUNK];
        bits |= u64::from(elements.get(index as usize).is_some_and(|&element| element != 0)) << lane;
    }
    write_predicate(registers, micro, bits);
    None
}

#[inline(always)]
pub(super) fn store_bool(
    registers: &mut Registers,
    micro: Micro,
    width: impl RowWidth,
    memory: &mut Memory<'_>,
    movemask: impl Fn([u32; CHUNK]) -> u64,
) -> Option<usize> {
    let elements = memory.write::<u8>(micro.b);
    let index = &registers.words[micro.a as usize * width.chunks()..][..width.chunks()];
    if let Some(lane) = out_of_bounds(index, registers.mask.bits, elements.len(), movemask) {
        return Some(lane);
    }
    let values = registers.predicates[micro.dst as usize];
    for lane in LaneMask(registers.mask.bits).lanes() {
        if let Some(element) = elements.get_mut(index[lane / CHUNK].0[lane % CHUNK] as usize) {
            *element = (values >> lane & 1) as u8;
        }
    }
    None
}

