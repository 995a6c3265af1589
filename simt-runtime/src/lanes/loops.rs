//! The loops over lanes: one generic function for each shape of operation.
//!
//! A row is worked on in chunks held in local arrays, which is what lets the compiler vectorise. A destination that dies
//! inside its segment is written without blending: its inactive lanes are never read.

use super::row::{ActiveMask, Cell, Chunk, Registers, RowWidth, Word};
use super::{CHUNK, Micro};
use crate::memory::{Memory, MemoryWord};
use simt_core::LaneMask;

/// Writes the chunks of a row that `new` computes. The choice between blending and not is made once, outside the loop.
#[inline(always)]
pub(super) fn write<T: Word>(
    registers: &mut Registers,
    micro: Micro,
    mask: &ActiveMask,
    width: impl RowWidth,
    new: impl Fn(&mut Registers, usize) -> [T; CHUNK],
) {
    let dst = micro.dst as usize * width.chunks();
    if micro.local | mask.is_full() {
        for part in 0..width.chunks() {
            let new = new(registers, part);
            T::rows(registers)[dst + part].0 = new;
        }
    } else {
        for part in 0..width.chunks() {
            let new = new(registers, part);
            let (row, keep) = (&mut T::rows(registers)[dst + part].0, mask.row[part].0);
            let old = *row;
            *row = std::array::from_fn(|lane| T::blend(new[lane], old[lane], keep[lane]));
        }
    }
}

/// Fails where a row is not there, once and for all parts, so that the loops need not ask again.
#[inline(always)]
pub(super) fn require<T: Word>(registers: &mut Registers, width: impl RowWidth, rows: [u16; 3]) {
    let len = T::rows(registers).len();
    for row in rows {
        assert!(row as usize * width.chunks() + width.chunks() <= len, "planned: every row is there");
    }
}

#[inline(always)]
pub(super) fn map2<T: Cell>(
    registers: &mut Registers,
    micro: Micro,
    mask: &ActiveMask,
    width: impl RowWidth,
    f: impl Fn(T, T) -> T,
) {
    require::<T::Word>(registers, width, [micro.dst, micro.a, micro.b]);
    let (a, b) = (micro.a as usize * width.chunks(), micro.b as usize * width.chunks());
    write::<T::Word>(registers, micro, mask, width, |registers, part| {
        let rows = T::Word::rows(registers);
        let (a, b) = (rows[a + part].0, rows[b + part].0);
        std::array::from_fn(|lane| f(T::from_word(a[lane]), T::from_word(b[lane])).to_word())
    });
}

#[inline(always)]
pub(super) fn map1<T: Cell, U: Cell>(
    registers: &mut Registers,
    micro: Micro,
    mask: &ActiveMask,
    width: impl RowWidth,
    f: impl Fn(T) -> U,
) {
    let a = micro.a as usize * width.chunks();
    write::<U::Word>(registers, micro, mask, width, |registers, part| {
        let a = T::Word::rows(registers)[a + part].0;
        std::array::from_fn(|lane| f(T::from_word(a[lane])).to_word())
    });
}

/// Shifts a wide row by counts in a row of words.
#[inline(always)]
pub(super) fn shift<T: Cell<Word = u64>>(
    registers: &mut Registers,
    micro: Micro,
    mask: &ActiveMask,
    width: impl RowWidth,
    f: impl Fn(T, T) -> T,
) {
    let (a, b) = (micro.a as usize * width.chunks(), micro.b as usize * width.chunks());
    write::<u64>(registers, micro, mask, width, |registers, part| {
        let (a, b) = (registers.wides[a + part].0, registers.words[b + part].0);
        std::array::from_fn(|lane| f(T::from_word(a[lane]), T::from_word(u64::from(b[lane]))).to_word())
    });
}

/// Integer division: not a vector instruction anywhere, and only active lanes may fault.
#[inline(always)]
pub(super) fn divide<T: Cell + PartialEq>(
    registers: &mut Registers,
    micro: Micro,
    mask: &ActiveMask,
    width: impl RowWidth,
    zero: T,
    f: impl Fn(T, T) -> T,
) -> Option<usize> {
    let row = |row: u16| row as usize * width.chunks();
    let (dst, a, b) = (row(micro.dst), row(micro.a), row(micro.b));
    let rows = T::Word::rows(registers);
    for lane in LaneMask(mask.bits).lanes() {
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
    mask: &ActiveMask,
    width: impl RowWidth,
    movemask: impl Fn([u32; CHUNK]) -> u64,
    f: impl Fn(T, T) -> bool,
) {
    require::<T::Word>(registers, width, [0, micro.a, micro.b]);
    let (a, b) = (micro.a as usize * width.chunks(), micro.b as usize * width.chunks());
    let rows = T::Word::rows(registers);
    let mut bits = 0;
    for part in 0..width.chunks() {
        let (a, b) = (rows[a + part].0, rows[b + part].0);
        let words = std::array::from_fn(|lane| if f(T::from_word(a[lane]), T::from_word(b[lane])) { !0 } else { 0 });
        bits |= movemask(words) << (part * CHUNK);
    }
    write_predicate(registers, micro, mask, bits);
}

#[inline(always)]
pub(super) fn write_predicate(registers: &mut Registers, micro: Micro, mask: &ActiveMask, bits: u64) {
    let predicate = &mut registers.predicates[micro.dst as usize];
    *predicate = (bits & mask.bits) | (*predicate & !mask.bits);
}

/// The lowest active lane whose index is not below the length.
#[inline(always)]
pub(super) fn out_of_bounds(
    index: &[Chunk<u32>],
    mask: &ActiveMask,
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
    let bits = bits & mask.bits;
    (bits != 0).then(|| bits.trailing_zeros() as usize)
}

/// If all lanes are active and access consecutive elements, the first index.
#[inline(always)]
pub(super) fn consecutive(index: &[Chunk<u32>], mask: &ActiveMask) -> Option<usize> {
    let first = index.first()?.0[0];
    let mut differ = 0;
    for (part, index) in index.iter().enumerate() {
        for (lane, index) in index.0.into_iter().enumerate() {
            differ |= index ^ first.wrapping_add((part * CHUNK + lane) as u32);
        }
    }
    (differ == 0 && mask.is_full()).then_some(first as usize)
}

#[inline(always)]
pub(super) fn load<E: MemoryWord, T: Cell>(
    registers: &mut Registers,
    micro: Micro,
    mask: &ActiveMask,
    width: impl RowWidth,
    memory: &Memory<'_>,
    movemask: impl Fn([u32; CHUNK]) -> u64,
    f: impl Fn(E) -> T,
) -> Option<usize> {
    let chunks = width.chunks();
    let elements = memory.read::<E>(micro.b);
    let index = &registers.words[micro.a as usize * chunks..][..chunks];
    if let Some(lane) = out_of_bounds(index, mask, elements.len(), movemask) {
        return Some(lane);
    }
    if let Some(first) = consecutive(index, mask)
        && let Some(elements) = elements.get(first..first + chunks * CHUNK)
    {
        let row = &mut T::Word::rows(registers)[micro.dst as usize * chunks..][..chunks];
        for (chunk, elements) in row.iter_mut().zip(elements.chunks_exact(CHUNK)) {
            chunk.0 = std::array::from_fn(|lane| f(elements[lane]).to_word());
        }
        return None;
    }
    let index = micro.a as usize * chunks;
    write::<T::Word>(registers, micro, mask, width, |registers, part| {
        let index = registers.words[index + part].0;
        // An inactive lane reads element 0, if there is one, and forgets it.
        std::array::from_fn(|lane| {
            let index = index[lane] & mask.row[part].0[lane];
            elements.get(index as usize).map_or(T::Word::default(), |&element| f(element).to_word())
        })
    });
    None
}

#[inline(always)]
pub(super) fn store<E: MemoryWord, T: Cell>(
    registers: &mut Registers,
    micro: Micro,
    mask: &ActiveMask,
    width: impl RowWidth,
    memory: &mut Memory<'_>,
    movemask: impl Fn([u32; CHUNK]) -> u64,
    f: impl Fn(T) -> E,
) -> Option<usize> {
    let chunks = width.chunks();
    let elements = memory.write::<E>(micro.b);
    let index = &registers.words[micro.a as usize * chunks..][..chunks];
    if let Some(lane) = out_of_bounds(index, mask, elements.len(), movemask) {
        return Some(lane);
    }
    let first = consecutive(index, mask);
    if let Some(first) = first
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
    for lane in LaneMask(mask.bits).lanes() {
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
    mask: &ActiveMask,
    width: impl RowWidth,
    memory: &Memory<'_>,
    movemask: impl Fn([u32; CHUNK]) -> u64,
) -> Option<usize> {
    let elements = memory.read::<u8>(micro.b);
    let index = &registers.words[micro.a as usize * width.chunks()..][..width.chunks()];
    if let Some(lane) = out_of_bounds(index, mask, elements.len(), movemask) {
        return Some(lane);
    }
    let mut bits = 0;
    for lane in LaneMask(mask.bits).lanes() {
        let index = index[lane / CHUNK].0[lane % CHUNK];
        bits |= u64::from(elements.get(index as usize).is_some_and(|&element| element != 0)) << lane;
    }
    write_predicate(registers, micro, mask, bits);
    None
}

#[inline(always)]
pub(super) fn store_bool(
    registers: &mut Registers,
    micro: Micro,
    mask: &ActiveMask,
    width: impl RowWidth,
    memory: &mut Memory<'_>,
    movemask: impl Fn([u32; CHUNK]) -> u64,
) -> Option<usize> {
    let elements = memory.write::<u8>(micro.b);
    let index = &registers.words[micro.a as usize * width.chunks()..][..width.chunks()];
    if let Some(lane) = out_of_bounds(index, mask, elements.len(), movemask) {
        return Some(lane);
    }
    let values = registers.predicates[micro.dst as usize];
    for lane in LaneMask(mask.bits).lanes() {
        if let Some(element) = elements.get_mut(index[lane / CHUNK].0[lane % CHUNK] as usize) {
            *element = (values >> lane & 1) as u8;
        }
    }
    None
}

