//! The loops over lanes: one generic function for each shape of operation.
//!
//! A row is worked on in chunks held in local arrays, which is what lets the compiler vectorise. A destination that dies
//! inside its segment is written without blending: its inactive lanes are never read.

use super::CHUNK;
use super::isa::Isa;
use super::row::{CHUNKS_32, Cell, Chunk, MAX_CHUNKS, Registers, RowWidth, Word, each_lane};
use crate::plan::Micro;
use simt_core::LaneMask;

/// Writes the row that `new` computes part by part from the rows of its kind and, if those are others, the rows of words.
///
/// PERF: the choice between blending and not is made once, outside the loop. Each part is written before the next is
/// computed: were they collected first, the compiler would vectorise across parts instead of along them, with a load for
/// each word.
#[inline(always)]
fn compute<T: Word>(
    registers: &mut Registers,
    micro: Micro,
    width: impl RowWidth,
    isa: impl Isa,
    new: impl Fn(&[Chunk<T>], &[Chunk<u32>], usize) -> [T; CHUNK],
) {
    let (blends, active) = (width.blends(micro.local | registers.mask.is_full()), registers.mask.bits);
    let (rows, words) = T::split(registers);
    let rows = width.file_mut(rows);
    let dst = width.start(micro.dst);
    if blends {
        for part in 0..width.chunks() {
            let (new, old) = (new(rows, words, part), rows[dst + part].0);
            rows[dst + part].0 = T::blend(isa, active, part, new, old);
        }
    } else {
        for part in 0..width.chunks() {
            rows[dst + part].0 = new(rows, words, part);
        }
    }
}

/// As [`compute`], for operations of several instructions a lane.
///
/// PERF: with one call of `new`, the compiler puts it in its place however long it is. Otherwise it stays a function of its
/// own, without the instruction set that the loop is compiled for.
#[inline(always)]
fn compute_long<T: Word>(
    registers: &mut Registers,
    micro: Micro,
    width: impl RowWidth,
    isa: impl Isa,
    new: impl Fn(&[Chunk<T>], usize) -> [T; CHUNK],
) {
    let (blends, active) = (width.blends(micro.local | registers.mask.is_full()), registers.mask.bits);
    let rows = width.file_mut(T::rows(registers));
    let dst = width.start(micro.dst);
    for part in 0..width.chunks() {
        let mut new = new(rows, part);
        if blends {
            new = T::blend(isa, active, part, new, rows[dst + part].0);
        }
        rows[dst + part].0 = new;
    }
}

/// Writes a row that does not depend on rows of its own kind.
#[inline(always)]
pub(super) fn write<T: Word>(
    registers: &mut Registers,
    micro: Micro,
    width: impl RowWidth,
    isa: impl Isa,
    new: impl Fn(usize) -> [T; CHUNK],
) {
    compute::<T>(registers, micro, width, isa, |_, _, part| new(part));
}

/// A copy of a row.
#[inline(always)]
pub(super) fn copy<T: Copy + Default>(rows: &[Chunk<T>], number: u16, width: impl RowWidth) -> [Chunk<T>; MAX_CHUNKS] {
    let mut copy = [Chunk::default(); MAX_CHUNKS];
    for (copy, chunk) in copy.iter_mut().zip(width.row(rows, number)) {
        *copy = *chunk;
    }
    copy
}

#[inline(always)]
pub(super) fn map2<T: Cell>(
    registers: &mut Registers,
    micro: Micro,
    width: impl RowWidth,
    isa: impl Isa,
    f: impl Fn(T, T) -> T,
) {
    let (a, b) = (width.start(micro.a), width.start(micro.b));
    compute::<T::Word>(registers, micro, width, isa, |rows, _, part| {
        let (a, b) = (rows[a + part].0, rows[b + part].0);
        each_lane(|lane| f(T::from_word(a[lane]), T::from_word(b[lane])).to_word())
    });
}

/// As [`map2`], for operations of several instructions a lane.
#[inline(always)]
pub(super) fn map2_long<T: Cell>(
    registers: &mut Registers,
    micro: Micro,
    width: impl RowWidth,
    isa: impl Isa,
    f: impl Fn(T, T) -> T,
) {
    let (a, b) = (width.start(micro.a), width.start(micro.b));
    compute_long::<T::Word>(registers, micro, width, isa, |rows, part| {
        let (a, b) = (rows[a + part].0, rows[b + part].0);
        each_lane(|lane| f(T::from_word(a[lane]), T::from_word(b[lane])).to_word())
    });
}

/// Applies an operation of three rows, the third of which is the one that `registers.addend` names.
#[inline(always)]
pub(super) fn map3<T: Cell>(
    registers: &mut Registers,
    micro: Micro,
    width: impl RowWidth,
    isa: impl Isa,
    f: impl Fn(T, T, T) -> T,
) {
    let (a, b, c) = (width.start(micro.a), width.start(micro.b), width.start(registers.addend));
    compute_long::<T::Word>(registers, micro, width, isa, |rows, part| {
        let (a, b, c) = (rows[a + part].0, rows[b + part].0, rows[c + part].0);
        each_lane(|lane| f(T::from_word(a[lane]), T::from_word(b[lane]), T::from_word(c[lane])).to_word())
    });
}

#[inline(always)]
pub(super) fn map1<T: Cell, U: Cell>(
    registers: &mut Registers,
    micro: Micro,
    width: impl RowWidth,
    isa: impl Isa,
    f: impl Fn(T) -> U,
) {
    let a = copy(T::Word::rows(registers), micro.a, width);
    write::<U::Word>(registers, micro, width, isa, |part| each_lane(|lane| f(T::from_word(a[part].0[lane])).to_word()));
}

/// One of two rows' words, by the selector.
#[inline(always)]
pub(super) fn select<T: Word>(registers: &mut Registers, micro: Micro, width: impl RowWidth, isa: impl Isa) {
    let (a, b, selector) = (width.start(micro.a), width.start(micro.b), registers.selector);
    compute_long::<T>(registers, micro, width, isa, |rows, part| {
        T::blend(isa, selector, part, rows[a + part].0, rows[b + part].0)
    });
}

/// Shifts a wide row by counts in a row of words.
#[inline(always)]
pub(super) fn shift<T: Cell<Word = u64>>(
    registers: &mut Registers,
    micro: Micro,
    width: impl RowWidth,
    isa: impl Isa,
    f: impl Fn(T, T) -> T,
) {
    let (a, b) = (width.start(micro.a), width.start(micro.b));
    compute::<u64>(registers, micro, width, isa, |wides, words, part| {
        let (a, b) = (wides[a + part].0, words[b + part].0);
        each_lane(|lane| f(T::from_word(a[lane]), T::from_word(u64::from(b[lane]))).to_word())
    });
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

/// As [`map2`], but the lowest active lane whose result is not of the type faults, and then nothing is written.
#[inline(always)]
pub(super) fn strict<T: Cell>(
    registers: &mut Registers,
    micro: Micro,
    width: impl RowWidth,
    isa: impl Isa,
    f: impl Fn(T, T) -> T,
    overflows: impl Fn(T, T) -> bool,
) -> Option<usize> {
    let faulting = registers.mask.bits & compared(registers, micro, width, isa, overflows);
    if faulting != 0 {
        return Some(faulting.trailing_zeros() as usize);
    }
    map2_long(registers, micro, width, isa, f);
    None
}

#[inline(always)]
pub(super) fn compare<T: Cell>(
    registers: &mut Registers,
    micro: Micro,
    width: impl RowWidth,
    isa: impl Isa,
    f: impl Fn(T, T) -> bool,
) {
    let bits = compared(registers, micro, width, isa, f);
    write_predicate(registers, micro, bits);
}

/// The lanes for whose operands something holds, a bit for each.
#[inline(always)]
fn compared<T: Cell>(
    registers: &mut Registers,
    micro: Micro,
    width: impl RowWidth,
    isa: impl Isa,
    f: impl Fn(T, T) -> bool,
) -> u64 {
    let rows = &*T::Word::rows(registers);
    let (a, b) = (width.row(rows, micro.a), width.row(rows, micro.b));
    bits_of(width, isa, |part| {
        let (a, b) = (a[part].0, b[part].0);
        each_lane(|lane| if f(T::from_word(a[lane]), T::from_word(b[lane])) { !0 } else { 0 })
    })
}

/// A bit for each lane, from the words of each part, which are all ones or zero.
#[inline(always)]
pub(super) fn bits_of<W: RowWidth>(width: W, isa: impl Isa, words: impl Fn(usize) -> [u32; CHUNK]) -> u64 {
    if const { W::IS_32 } {
        let mut row = [[0; CHUNK]; CHUNKS_32];
        for (part, own) in row.iter_mut().enumerate() {
            *own = words(part);
        }
        return isa.movemask_32(row);
    }
    let mut bits = 0;
    for part in 0..width.chunks() {
        bits |= isa.movemask(words(part)) << (part * CHUNK);
    }
    bits
}

#[inline(always)]
pub(super) fn write_predicate(registers: &mut Registers, micro: Micro, bits: u64) {
    let active = registers.mask.bits;
    let predicate = &mut registers.predicates[micro.dst as usize];
    *predicate = (bits & active) | (*predicate & !active);
}
