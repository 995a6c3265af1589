//! The loops: runs the lane operations of a segment for the active lanes.
//!
//! The match on the operation stands outside the lane loop, and a row is worked on in chunks held in local arrays, which
//! is what lets the compiler vectorise. Temporaries that die inside their segment are written without blending: their
//! inactive lanes are never read.
//!
//! PERF: one function per instruction set (`run_avx512`, `run_avx2`, `run_portable`), called directly by the flow loop's
//! clone for that set; `benches/speed.rs` measures it.

use super::op::for_each_lane_op;
use super::row::{ActiveMask, Cell, Registers, Word, chunk, put};
use super::{CHUNK, LaneOp, Micro};
use crate::memory::{Memory, MemoryWord};
use simt_core::ops::{
    BinaryMeaning, CastMeaning, CompareMeaning, UnaryMeaning, binary_ops, compare_ops, unary_ops,
};

/// A lane could not execute its operation: the address is out of bounds, or the divisor is zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LaneFault {
    /// Index of the operation in the plan.
    pub(crate) micro: u32,
    /// The lowest lane that faulted.
    pub(crate) lane: u32,
}

/// Eight words, each zero or all ones, to eight bits.
#[inline(always)]
fn movemask_portable(words: [u32; CHUNK]) -> u64 {
    let mut bits = 0;
    for (lane, word) in words.into_iter().enumerate() {
        bits |= (word >> 31) << lane;
    }
    u64::from(bits)
}

/// The same as one instruction; the portable loop costs three to five times as much and dominates branchy kernels.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
#[inline]
fn movemask_avx2(words: [u32; CHUNK]) -> u64 {
    use std::arch::x86_64::{__m256i, _mm256_castsi256_ps, _mm256_movemask_ps};
    let vector: __m256i = bytemuck::cast(words);
    u64::from(_mm256_movemask_ps(_mm256_castsi256_ps(vector)) as u32)
}

#[inline(always)]
fn write<T: Word, const W: usize>(
    registers: &mut Registers<W>,
    micro: Micro,
    mask: &ActiveMask<W>,
    part: usize,
    new: [T; CHUNK],
) {
    let row = &mut T::rows(registers)[micro.dst as usize];
    if micro.local | mask.full {
        put(row, part, new);
    } else {
        let (old, keep) = (chunk(row, part), chunk(&mask.row, part));
        put(row, part, std::array::from_fn(|lane| T::blend(new[lane], old[lane], keep[lane])));
    }
}

#[inline(always)]
fn map2<T: Cell, const W: usize>(
    registers: &mut Registers<W>,
    micro: Micro,
    mask: &ActiveMask<W>,
    f: impl Fn(T, T) -> T,
) {
    let len = T::Word::rows(registers).len();
    assert!((micro.dst as usize) < len && (micro.a as usize) < len && (micro.b as usize) < len);
    for part in 0..W / CHUNK {
        let rows = T::Word::rows(registers);
        let (a, b) = (chunk(&rows[micro.a as usize], part), chunk(&rows[micro.b as usize], part));
        let new = std::array::from_fn(|lane| f(T::from_word(a[lane]), T::from_word(b[lane])).to_word());
        write::<T::Word, W>(registers, micro, mask, part, new);
    }
}

#[inline(always)]
fn map1<T: Cell, U: Cell, const W: usize>(
    registers: &mut Registers<W>,
    micro: Micro,
    mask: &ActiveMask<W>,
    f: impl Fn(T) -> U,
) {
    for part in 0..W / CHUNK {
        let a = chunk(&T::Word::rows(registers)[micro.a as usize], part);
        let new = std::array::from_fn(|lane| f(T::from_word(a[lane])).to_word());
        write::<U::Word, W>(registers, micro, mask, part, new);
    }
}

/// Shifts a wide row by counts in a row of words.
#[inline(always)]
fn shift<T: Cell<Word = u64>, const W: usize>(
    registers: &mut Registers<W>,
    micro: Micro,
    mask: &ActiveMask<W>,
    f: impl Fn(T, T) -> T,
) {
    for part in 0..W / CHUNK {
        let a = chunk(&registers.wides[micro.a as usize], part);
        let b = chunk(&registers.words[micro.b as usize], part);
        let new =
            std::array::from_fn(|lane| f(T::from_word(a[lane]), T::from_word(u64::from(b[lane]))).to_word());
        write::<u64, W>(registers, micro, mask, part, new);
    }
}

/// Integer division: not a vector instruction anywhere, and only active lanes may fault.
#[inline(always)]
fn divide<T: Cell, const W: usize>(
    registers: &mut Registers<W>,
    micro: Micro,
    mask: &ActiveMask<W>,
    zero: T,
    f: impl Fn(T, T) -> T,
) -> Option<usize>
where
    T: PartialEq,
{
    let rows = T::Word::rows(registers);
    let (a, b) = (rows[micro.a as usize].0, rows[micro.b as usize].0);
    let mut rest = mask.bits;
    while rest != 0 {
        let lane = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        let divisor = T::from_word(b[lane]);
        if divisor == zero {
            return Some(lane);
        }
        T::Word::rows(registers)[micro.dst as usize].0[lane] = f(T::from_word(a[lane]), divisor).to_word();
    }
    None
}

#[inline(always)]
fn compare<T: Cell, const W: usize>(
    registers: &mut Registers<W>,
    micro: Micro,
    mask: &ActiveMask<W>,
    movemask: impl Fn([u32; CHUNK]) -> u64,
    f: impl Fn(T, T) -> bool,
) {
    let rows = T::Word::rows(registers);
    let len = rows.len();
    assert!((micro.a as usize) < len && (micro.b as usize) < len);
    let mut bits = 0;
    for part in 0..W / CHUNK {
        let (a, b) = (chunk(&rows[micro.a as usize], part), chunk(&rows[micro.b as usize], part));
        let words = std::array::from_fn(|lane| {
            if f(T::from_word(a[lane]), T::from_word(b[lane])) { !0 } else { 0 }
        });
        bits |= movemask(words) << (part * CHUNK);
    }
    write_predicate(registers, micro, mask, bits);
}

#[inline(always)]
fn write_predicate<const W: usize>(registers: &mut Registers<W>, micro: Micro, mask: &ActiveMask<W>, bits: u64) {
    let predicate = &mut registers.predicates[micro.dst as usize];
    *predicate = (bits & mask.bits) | (*predicate & !mask.bits);
}

/// The lowest active lane whose index is not below the length.
#[inline(always)]
fn out_of_bounds<const W: usize>(
    registers: &Registers<W>,
    index: u16,
    mask: &ActiveMask<W>,
    length: usize,
    movemask: impl Fn([u32; CHUNK]) -> u64,
) -> Option<usize> {
    let row = &registers.words[index as usize];
    // An index is 32 bits wide; a longer slice cannot be exceeded by it.
    let length = u32::try_from(length).unwrap_or(u32::MAX);
    let mut bits = 0;
    for part in 0..W / CHUNK {
        let index = chunk(row, part);
        let words = std::array::from_fn(|lane| if index[lane] >= length { !0 } else { 0 });
        bits |= movemask(words) << (part * CHUNK);
    }
    let bits = bits & mask.bits;
    (bits != 0).then(|| bits.trailing_zeros() as usize)
}

/// If the active lanes are the first of the row and access consecutive elements, the first index.
#[inline(always)]
fn consecutive<const W: usize>(registers: &Registers<W>, index: u16, mask: &ActiveMask<W>) -> Option<usize> {
    if !mask.full {
        return None;
    }
    let row = &registers.words[index as usize];
    let first = row.0[0];
    let mut differ = 0;
    for part in 0..W / CHUNK {
        let index = chunk(row, part);
        for (lane, index) in index.into_iter().enumerate() {
            differ |= index ^ first.wrapping_add((part * CHUNK + lane) as u32);
        }
    }
    (differ == 0).then_some(first as usize)
}

#[inline(always)]
fn load<E: MemoryWord, T: Cell, const W: usize>(
    registers: &mut Registers<W>,
    micro: Micro,
    mask: &ActiveMask<W>,
    memory: &Memory<'_>,
    movemask: impl Fn([u32; CHUNK]) -> u64,
    f: impl Fn(E) -> T,
) -> Option<usize> {
    let elements = memory.read::<E>(micro.b);
    if let Some(lane) = out_of_bounds(registers, micro.a, mask, elements.len(), movemask) {
        return Some(lane);
    }
    if let Some(first) = consecutive(registers, micro.a, mask)
        && let Some(elements) = elements.get(first..first + W)
    {
        let row = &mut T::Word::rows(registers)[micro.dst as usize];
        for (lane, &element) in elements.iter().enumerate() {
            row.0[lane] = f(element).to_word();
        }
        return None;
    }
    let index = registers.words[micro.a as usize];
    for part in 0..W / CHUNK {
        // An inactive lane reads element 0, if there is one, and forgets it.
        let new = std::array::from_fn(|lane| {
            let lane = part * CHUNK + lane;
            let index = index.0[lane] & mask.row.0[lane];
            elements.get(index as usize).map_or(T::Word::default(), |&element| f(element).to_word())
        });
        write::<T::Word, W>(registers, micro, mask, part, new);
    }
    None
}

#[inline(always)]
fn store<E: MemoryWord, T: Cell, const W: usize>(
    registers: &mut Registers<W>,
    micro: Micro,
    mask: &ActiveMask<W>,
    memory: &mut Memory<'_>,
    movemask: impl Fn([u32; CHUNK]) -> u64,
    f: impl Fn(T) -> E,
) -> Option<usize> {
    let elements = memory.write::<E>(micro.b);
    if let Some(lane) = out_of_bounds(registers, micro.a, mask, elements.len(), movemask) {
        return Some(lane);
    }
    let first = consecutive(registers, micro.a, mask);
    let index = registers.words[micro.a as usize];
    let values = &T::Word::rows(registers)[micro.dst as usize];
    if let Some(first) = first
        && let Some(elements) = elements.get_mut(first..first + W)
    {
        for (lane, element) in elements.iter_mut().enumerate() {
            *element = f(T::from_word(values.0[lane]));
        }
        return None;
    }
    // In lane order: of two lanes that write one element, the higher one wins.
    let mut rest = mask.bits;
    while rest != 0 {
        let lane = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        if let Some(element) = elements.get_mut(index.0[lane] as usize) {
            *element = f(T::from_word(values.0[lane]));
        }
    }
    None
}

/// The element that a value is stored as.
trait Stored<E> {
    fn stored(self) -> E;
}
macro_rules! stored {
    ($($from:ty => $to:ty, |$v:ident| $value:expr;)*) => {$(
        impl Stored<$to> for $from {
            #[inline(always)]
            fn stored(self) -> $to { let $v = self; $value }
        }
    )*};
}
stored! {
    u32 => u8, |v| v as u8; u32 => u16, |v| v as u16; u32 => u32, |v| v; u64 => u64, |v| v;
    f32 => u32, |v| if v.is_nan() { f32::NAN.to_bits() } else { v.to_bits() };
    f64 => u64, |v| if v.is_nan() { f64::NAN.to_bits() } else { v.to_bits() };
}

macro_rules! define_run {
    (
        binary { $($bin:ident = $bin_op:ident, $bin_ty:ident;)* }
        shift { $($shift:ident = $shift_op:ident, $shift_ty:ident;)* }
        divide { $($div:ident = $div_op:ident, $div_ty:ident;)* }
        unary { $($un:ident = $un_op:ident, $un_ty:ident;)* }
        compare { $($cmp:ident = $cmp_op:ident, $cmp_ty:ident;)* }
        convert { $($cvt:ident = $cvt_from:ident, $cvt_to:ident;)* }
        predicate { $($pred:ident = |$pa:ident, $pb:ident| $pred_value:expr;)* }
        load { $($ld:ident = $ld_element:ident, $ld_ty:ident;)* }
        store { $($st:ident = $st_element:ident, $st_ty:ident;)* }
        special { $($special:ident;)* }
    ) => {
        /// Runs lane operations `start..end` of the plan for the active lanes.
        #[inline(always)]
        fn run<const W: usize>(
            micros: &[Micro],
            start: u32,
            end: u32,
            registers: &mut Registers<W>,
            mask: &ActiveMask<W>,
            memory: &mut Memory<'_>,
            movemask: impl Fn([u32; CHUNK]) -> u64 + Copy,
        ) -> Option<LaneFault> {
            for (place, &micro) in micros[start as usize..end as usize].iter().enumerate() {
                let faulted: Option<usize> = match micro.op {
                    $(LaneOp::$bin => {
                        map2::<$bin_ty, W>(registers, micro, mask, |a, b| {
                            <binary_ops::$bin_op as BinaryMeaning<$bin_ty>>::apply(a, b)
                        });
                        None
                    })*
                    $(LaneOp::$shift => {
                        shift::<$shift_ty, W>(registers, micro, mask, |a, b| {
                            <binary_ops::$shift_op as BinaryMeaning<$shift_ty>>::apply(a, b)
                        });
                        None
                    })*
                    $(LaneOp::$div => divide::<$div_ty, W>(registers, micro, mask, 0, |a, b| {
                        <binary_ops::$div_op as BinaryMeaning<$div_ty>>::apply(a, b)
                    }),)*
                    $(LaneOp::$un => {
                        map1::<$un_ty, $un_ty, W>(registers, micro, mask, |a| {
                            <unary_ops::$un_op as UnaryMeaning<$un_ty>>::apply(a)
                        });
                        None
                    })*
                    $(LaneOp::$cmp => {
                        compare::<$cmp_ty, W>(registers, micro, mask, movemask, |a, b| {
                            <compare_ops::$cmp_op as CompareMeaning<$cmp_ty>>::apply(a, b)
                        });
                        None
                    })*
                    $(LaneOp::$cvt => {
                        map1::<$cvt_from, $cvt_to, W>(registers, micro, mask, |a| CastMeaning::<$cvt_to>::cast(a));
                        None
                    })*
                    $(LaneOp::$pred => {
                        let $pa = registers.predicates[micro.a as usize];
                        let $pb = registers.predicates[micro.b as usize];
                        write_predicate(registers, micro, mask, $pred_value);
                        None
                    })*
                    $(LaneOp::$ld => load::<$ld_element, $ld_ty, W>(registers, micro, mask, memory, movemask, |e| e as $ld_ty),)*
                    $(LaneOp::$st => {
                        store::<$st_element, $st_ty, W>(registers, micro, mask, memory, movemask, Stored::<$st_element>::stored)
                    })*
                    LaneOp::Bool32 => {
                        let bits = registers.predicates[micro.a as usize];
                        for part in 0..W / CHUNK {
                            let new = std::array::from_fn(|lane| (bits >> (part * CHUNK + lane)) as u32 & 1);
                            write::<u32, W>(registers, micro, mask, part, new);
                        }
                        None
                    }
                    LaneOp::Bool64 => {
                        let bits = registers.predicates[micro.a as usize];
                        for part in 0..W / CHUNK {
                            let new = std::array::from_fn(|lane| (bits >> (part * CHUNK + lane)) & 1);
                            write::<u64, W>(registers, micro, mask, part, new);
                        }
                        None
                    }
                    LaneOp::LoadBool => load_bool(registers, micro, mask, memory, movemask),
                    LaneOp::StoreBool => store_bool(registers, micro, mask, memory, movemask),
                };
                if let Some(lane) = faulted {
                    return Some(LaneFault { micro: start + place as u32, lane: lane as u32 });
                }
            }
            None
        }
    };
}
for_each_lane_op!(define_run);

#[inline(always)]
fn load_bool<const W: usize>(
    registers: &mut Registers<W>,
    micro: Micro,
    mask: &ActiveMask<W>,
    memory: &Memory<'_>,
    movemask: impl Fn([u32; CHUNK]) -> u64,
) -> Option<usize> {
    let elements = memory.read::<u8>(micro.b);
    if let Some(lane) = out_of_bounds(registers, micro.a, mask, elements.len(), movemask) {
        return Some(lane);
    }
    let index = &registers.words[micro.a as usize];
    let mut bits = 0;
    let mut rest = mask.bits;
    while rest != 0 {
        let lane = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        let set = elements.get(index.0[lane] as usize).is_some_and(|&element| element != 0);
        bits |= u64::from(set) << lane;
    }
    write_predicate(registers, micro, mask, bits);
    None
}

#[inline(always)]
fn store_bool<const W: usize>(
    registers: &mut Registers<W>,
    micro: Micro,
    mask: &ActiveMask<W>,
    memory: &mut Memory<'_>,
    movemask: impl Fn([u32; CHUNK]) -> u64,
) -> Option<usize> {
    let elements = memory.write::<u8>(micro.b);
    if let Some(lane) = out_of_bounds(registers, micro.a, mask, elements.len(), movemask) {
        return Some(lane);
    }
    let values = registers.predicates[micro.dst as usize];
    let index = &registers.words[micro.a as usize];
    let mut rest = mask.bits;
    while rest != 0 {
        let lane = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        if let Some(element) = elements.get_mut(index.0[lane] as usize) {
            *element = (values >> lane & 1) as u8;
        }
    }
    None
}

/// Runs a segment with AVX-512.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx2,bmi1,bmi2,popcnt,lzcnt")]
#[inline(never)]
pub(crate) fn run_avx512<const W: usize>(
    micros: &[Micro],
    start: u32,
    end: u32,
    registers: &mut Registers<W>,
    mask: &ActiveMask<W>,
    memory: &mut Memory<'_>,
) -> Option<LaneFault> {
    run(micros, start, end, registers, mask, memory, |words| movemask_avx2(words))
}

/// Runs a segment with AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
#[inline(never)]
pub(crate) fn run_avx2<const W: usize>(
    micros: &[Micro],
    start: u32,
    end: u32,
    registers: &mut Registers<W>,
    mask: &ActiveMask<W>,
    memory: &mut Memory<'_>,
) -> Option<LaneFault> {
    run(micros, start, end, registers, mask, memory, |words| movemask_avx2(words))
}

/// Runs a segment with what every processor of this architecture has.
#[inline(never)]
pub(crate) fn run_portable<const W: usize>(
    micros: &[Micro],
    start: u32,
    end: u32,
    registers: &mut Registers<W>,
    mask: &ActiveMask<W>,
    memory: &mut Memory<'_>,
) -> Option<LaneFault> {
    run(micros, start, end, registers, mask, memory, movemask_portable)
}
