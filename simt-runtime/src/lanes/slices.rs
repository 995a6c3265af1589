//! Loads and stores of slices' elements.
//!
//! PERF: where all lanes are active and access consecutive elements, rows are copied, and all else is a function apart (`by_lane`
//! in `segment`). In one function the compiler merges the last stores of both ways, into one for each lane, and what then reads
//! the row as a whole waits until those have left the processor. Apart, and with whole chunks stored, search and saxpy are 5 %
//! faster (Intel Xeon with AVX-512, 2026-11-28).

use super::CHUNK;
use super::isa::Isa;
use super::loops::{bits_of, copy, write, write_predicate};
use super::row::{Cell, Chunk, Registers, RowWidth, Word, each_lane};
use crate::memory::{Memory, MemoryWord};
use crate::plan::Micro;
use simt_core::LaneMask;
use std::hint::black_box;

/// The lowest active lane whose index is not below the length.
#[inline(always)]
fn out_of_bounds(
    registers: &Registers,
    index: u16,
    length: usize,
    width: impl RowWidth,
    isa: impl Isa,
) -> Option<usize> {
    // An index is 32 bits wide; a longer slice cannot be exceeded by it.
    let length = u32::try_from(length).unwrap_or(u32::MAX);
    let index = width.row(&registers.words, index);
    let bits = bits_of(width, isa, |part| each_lane(|lane| if index[part].0[lane] >= length { !0 } else { 0 }));
    let bits = bits & registers.mask.bits;
    (bits != 0).then(|| bits.trailing_zeros() as usize)
}

/// How far each lane of a chunk is behind the first.
static BEHIND: Chunk<u32> = Chunk([0, 1, 2, 3, 4, 5, 6, 7]);

/// The first index, if all lanes are active and access consecutive elements. One check of the range is then one of all lanes.
///
/// PERF: the compiler is not to know that the first lane is behind by nothing. It puts that lane apart otherwise, and reads rows
/// by other words than were written, which waits until those have left the processor.
#[inline(always)]
pub(super) fn consecutive(registers: &Registers, index: u16, width: impl RowWidth, isa: impl Isa) -> Option<usize> {
    // Operations that blend are of warps of which some lanes are not active.
    if width.blends(true) || !registers.mask.is_full() {
        return None;
    }
    let index = width.row(&registers.words, index);
    let first = index.first()?.0[0];
    let behind = black_box(&BEHIND);
    let mut differ = [0; CHUNK];
    for (part, index) in index.iter().enumerate() {
        let first = first.wrapping_add((part * CHUNK) as u32);
        differ = each_lane(|lane| differ[lane] | (index.0[lane] ^ first.wrapping_add(behind.0[lane])));
    }
    isa.are_zero(differ).then_some(first as usize)
}

/// Loads consecutive elements by all lanes. Returns whether that is what the lanes do.
#[inline(always)]
pub(super) fn load_row<E: MemoryWord, T: Cell>(
    registers: &mut Registers,
    micro: Micro,
    width: impl RowWidth,
    memory: &Memory<'_>,
    isa: impl Isa,
    f: impl Fn(E) -> T,
) -> bool {
    if let Some(first) = consecutive(registers, micro.a, width, isa)
        && let Some(elements) = memory.read::<E>(micro.b).get(first..first + width.chunks() * CHUNK)
    {
        let row = width.row_mut(T::Word::rows(registers), micro.dst);
        for (chunk, elements) in row.iter_mut().zip(elements.as_chunks::<CHUNK>().0) {
            chunk.0 = each_lane(|lane| f(elements[lane]).to_word());
        }
        return true;
    }
    false
}

/// Loads an element for each active lane. Returns the lowest one whose index is not below the length.
#[inline(always)]
pub(super) fn load<E: MemoryWord, T: Cell>(
    registers: &mut Registers,
    micro: Micro,
    width: impl RowWidth,
    memory: &Memory<'_>,
    isa: impl Isa,
    f: impl Fn(E) -> T,
) -> Option<usize> {
    let elements = memory.read::<E>(micro.b);
    if let Some(lane) = out_of_bounds(registers, micro.a, elements.len(), width, isa) {
        return Some(lane);
    }
    let (index, active) = (copy(&registers.words, micro.a, width), registers.mask.bits);
    write::<T::Word>(registers, micro, width, isa, |part| {
        // An inactive lane reads element 0, if there is one, and forgets it.
        let index = isa.blend_words(active, part, index[part].0, [0; CHUNK]);
        each_lane(|lane| elements.get(index[lane] as usize).map_or(T::Word::default(), |&element| f(element).to_word()))
    });
    None
}

/// Stores consecutive elements by all lanes. Returns whether that is what the lanes do.
#[inline(always)]
pub(super) fn store_row<E: MemoryWord, T: Cell>(
    registers: &mut Registers,
    micro: Micro,
    width: impl RowWidth,
    memory: &mut Memory<'_>,
    isa: impl Isa,
    f: impl Fn(T) -> E,
) -> bool {
    let lanes = width.chunks() * CHUNK;
    if let Some(first) = consecutive(registers, micro.a, width, isa)
        && let Some(elements) = memory.write::<E>(micro.b).row(first, lanes)
    {
        let row = width.row(T::Word::rows(registers), micro.dst);
        for (chunk, elements) in row.iter().zip(elements.as_chunks_mut().0) {
            // PERF: a chunk at a time. The compiler cannot know that elements and rows do not overlap.
            *elements = each_lane(|lane| f(T::from_word(chunk.0[lane])));
        }
        return true;
    }
    false
}

/// Stores an element for each active lane. Returns the lowest one whose index is not below the length.
#[inline(always)]
pub(super) fn store<E: MemoryWord, T: Cell>(
    registers: &mut Registers,
    micro: Micro,
    width: impl RowWidth,
    memory: &mut Memory<'_>,
    isa: impl Isa,
    f: impl Fn(T) -> E,
) -> Option<usize> {
    let chunks = width.chunks();
    let mut written = memory.write::<E>(micro.b);
    if let Some(lane) = out_of_bounds(registers, micro.a, written.words().len(), width, isa) {
        return Some(lane);
    }
    // In lane order: of two lanes that write one element, the higher one wins.
    for lane in LaneMask(registers.mask.bits).lanes() {
        let (part, lane) = (lane / CHUNK, lane % CHUNK);
        let index = registers.words[micro.a as usize * chunks + part].0[lane];
        let value = T::Word::rows(registers)[micro.dst as usize * chunks + part].0[lane];
        written.set(index as usize, f(T::from_word(value)));
    }
    None
}

#[inline(always)]
pub(super) fn load_bool(
    registers: &mut Registers,
    micro: Micro,
    width: impl RowWidth,
    memory: &Memory<'_>,
    isa: impl Isa,
) -> Option<usize> {
    let elements = memory.read::<u8>(micro.b);
    let index = width.row(&registers.words, micro.a);
    if let Some(lane) = out_of_bounds(registers, micro.a, elements.len(), width, isa) {
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
    isa: impl Isa,
) -> Option<usize> {
    let mut written = memory.write::<u8>(micro.b);
    let index = width.row(&registers.words, micro.a);
    if let Some(lane) = out_of_bounds(registers, micro.a, written.words().len(), width, isa) {
        return Some(lane);
    }
    let values = registers.predicates[micro.dst as usize];
    for lane in LaneMask(registers.mask.bits).lanes() {
        let index = index[lane / CHUNK].0[lane % CHUNK] as usize;
        written.set(index, (values >> lane & 1) as u8);
    }
    None
}
