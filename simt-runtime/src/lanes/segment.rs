//! Segments: runs lane operations one after the other for the active lanes.
//!
//! The match on the operation stands outside the lane loop.
//!
//! PERF: one function per instruction set, called directly by the flow loop's clone for that set. Warps of 32 have loops of
//! their own for the common operations, unrolled; other widths, and the rarer operations, share loops that are not:
//! unrolling all of them makes the crate minutes slower to compile. `benches/speed.rs` measures it.

use super::CHUNK;
use super::loops::{
    compare, divide, load, load_bool, map1, map2, map2_long, map3, select, shift, store, store_bool, write,
    write_predicate,
};
use super::row::{Any, Registers, RowWidth, Warp32};
use crate::memory::Memory;
use crate::plan::for_each_lane_op;
use crate::plan::{Extended, LaneOp, Micro};
use simt_core::ops::{
    BinaryMeaning, CastMeaning, CompareMeaning, NumericMeaning, UnaryMeaning, binary_ops, compare_ops, numeric_ops,
    unary_ops,
};

/// A lane could not execute its operation: the address is out of bounds, or the divisor is zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LaneFault {
    /// Which operation of the segment.
    pub(crate) place: u32,
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
        binary_rare { $($rbin:ident = $rbin_op:ident, $rbin_ty:ident;)* }
        shift { $($shift:ident = $shift_op:ident, $shift_ty:ident;)* }
        divide { $($div:ident = $div_op:ident, $div_ty:ident;)* }
        unary { $($un:ident = $un_op:ident, $un_ty:ident;)* }
        numeric1 { $($one:ident = $one_op:ident, $one_ty:ident, $one_to:ident;)* }
        numeric2 { $($two:ident = $two_op:ident, $two_ty:ident;)* }
        numeric3 { $($three:ident = $three_op:ident, $three_ty:ident;)* }
        compare { $($cmp:ident = $cmp_op:ident, $cmp_ty:ident;)* }
        convert { $($cvt:ident = $cvt_from:ident, $cvt_to:ident;)* }
        convert_rare { $($rcvt:ident = $rcvt_from:ident, $rcvt_to:ident;)* }
        predicate { $($pred:ident = |$pa:ident, $pb:ident| $pred_value:expr;)* }
        load { $($ld:ident = $ld_element:ident, $ld_ty:ident;)* }
        load_rare { $($rld:ident = $rld_element:ident, $rld_ty:ident;)* }
        store { $($st:ident = $st_element:ident, $st_ty:ident;)* }
        store_rare { $($rst:ident = $rst_element:ident, $rst_ty:ident;)* }
        special { $($special:ident;)* }
    ) => {
        /// Runs the segment; operations that are not common go to `rare`.
        #[inline(always)]
        fn run<'m>(
            micros: &[Micro],
            extended: &[Extended],
            registers: &mut Registers,
            memory: &mut Memory<'m>,
            width: impl RowWidth,
            movemask: impl Fn([u32; CHUNK]) -> u64 + Copy,
            rare: impl Fn(&mut Registers, Micro, &[Extended], &mut Memory<'m>) -> Option<usize>,
        ) -> Option<LaneFault> {
            for (place, &micro) in micros.iter().enumerate() {
                let faulted: Option<usize> = match micro.op {
                    $(LaneOp::$bin => {
                        map2::<$bin_ty>(registers, micro, width, |a, b| {
                            <binary_ops::$bin_op as BinaryMeaning<$bin_ty>>::apply(a, b)
                        });
                        None
                    })*
                    $(LaneOp::$shift => {
                        shift::<$shift_ty>(registers, micro, width, |a, b| {
                            <binary_ops::$shift_op as BinaryMeaning<$shift_ty>>::apply(a, b)
                        });
                        None
                    })*
                    $(LaneOp::$cmp => {
                        compare::<$cmp_ty>(registers, micro, width, movemask, |a, b| {
                            <compare_ops::$cmp_op as CompareMeaning<$cmp_ty>>::apply(a, b)
                        });
                        None
                    })*
                    $(LaneOp::$cvt => {
                        map1::<$cvt_from, $cvt_to>(registers, micro, width, |a| CastMeaning::<$cvt_to>::cast(a));
                        None
                    })*
                    $(LaneOp::$pred => {
                        let $pa = registers.predicates[micro.a as usize];
                        let $pb = registers.predicates[micro.b as usize];
                        write_predicate(registers, micro, $pred_value);
                        None
                    })*
                    $(LaneOp::$ld => {
                        load::<$ld_element, $ld_ty>(registers, micro, width, memory, movemask, |e| e as $ld_ty)
                    })*
                    $(LaneOp::$st => store::<$st_element, $st_ty>(
                        registers, micro, width, memory, movemask, Stored::<$st_element>::stored,
                    ),)*
                    _ => rare(registers, micro, extended, memory),
                };
                if let Some(lane) = faulted {
                    return Some(LaneFault { place: place as u32, lane: lane as u32 });
                }
            }
            None
        }

        /// Runs one operation that is not common.
        #[inline(always)]
        fn run_rare(
            registers: &mut Registers,
            micro: Micro,
            extended: &[Extended],
            memory: &mut Memory<'_>,
            movemask: impl Fn([u32; CHUNK]) -> u64 + Copy,
        ) -> Option<usize> {
            let width = Any(registers.chunks);
            match micro.op {
                $(LaneOp::$rbin => {
                    map2::<$rbin_ty>(registers, micro, width, |a, b| {
                        <binary_ops::$rbin_op as BinaryMeaning<$rbin_ty>>::apply(a, b)
                    });
                    None
                })*
                $(LaneOp::$div => divide::<$div_ty>(registers, micro, width, 0, |a, b| {
                    <binary_ops::$div_op as BinaryMeaning<$div_ty>>::apply(a, b)
                }),)*
                $(LaneOp::$un => {
                    map1::<$un_ty, $un_ty>(registers, micro, width, |a| {
                        <unary_ops::$un_op as UnaryMeaning<$un_ty>>::apply(a)
                    });
                    None
                })*
                $(LaneOp::$one => {
                    map1::<$one_ty, $one_to>(registers, micro, width, |a| {
                        <numeric_ops::$one_op as NumericMeaning<($one_ty,)>>::apply((a,))
                    });
                    None
                })*
                $(LaneOp::$two => {
                    map2_long::<$two_ty>(registers, micro, width, |a, b| {
                        <numeric_ops::$two_op as NumericMeaning<($two_ty, $two_ty)>>::apply((a, b))
                    });
                    None
                })*
                $(LaneOp::$three => {
                    map3::<$three_ty>(registers, micro, width, |a, b, c| {
                        <numeric_ops::$three_op as NumericMeaning<($three_ty, $three_ty, $three_ty)>>::apply((a, b, c))
                    });
                    None
                })*
                $(LaneOp::$rcvt => {
                    map1::<$rcvt_from, $rcvt_to>(registers, micro, width, |a| CastMeaning::<$rcvt_to>::cast(a));
                    None
                })*
                $(LaneOp::$rld => {
                    load::<$rld_element, $rld_ty>(registers, micro, width, memory, movemask, |e| e as $rld_ty)
                })*
                $(LaneOp::$rst => store::<$rst_element, $rst_ty>(
                    registers, micro, width, memory, movemask, Stored::<$rst_element>::stored,
                ),)*
                LaneOp::Bool32 => {
                    let bits = registers.predicates[micro.a as usize];
                    write::<u32>(registers, micro, width, |part| {
                        std::array::from_fn(|lane| (bits >> (part * CHUNK + lane)) as u32 & 1)
                    });
                    None
                }
                LaneOp::Bool64 => {
                    let bits = registers.predicates[micro.a as usize];
                    write::<u64>(registers, micro, width, |part| {
                        std::array::from_fn(|lane| (bits >> (part * CHUNK + lane)) & 1)
                    });
                    None
                }
                LaneOp::LoadBool => load_bool(registers, micro, width, memory, movemask),
                LaneOp::StoreBool => store_bool(registers, micro, width, memory, movemask),
                LaneOp::Selector => {
                    registers.selector = registers.predicates[micro.a as usize];
                    None
                }
                LaneOp::Addend => {
                    registers.addend = micro.a;
                    None
                }
                LaneOp::Select32 => {
                    select::<u32>(registers, micro, width);
                    None
                }
                LaneOp::Select64 => {
                    select::<u64>(registers, micro, width);
                    None
                }
                LaneOp::PredicateSelect => {
                    let selector = registers.selector;
                    let (a, b) = (registers.predicates[micro.a as usize], registers.predicates[micro.b as usize]);
                    write_predicate(registers, micro, (a & selector) | (b & !selector));
                    None
                }
                // PERF: no closure, which would not be compiled for the instruction set.
                LaneOp::Extended => match extended.get(micro.extended()) {
                    Some(operation) => operation.run(registers, memory),
                    None => None,
                },
                _ => unreachable!("`run` has the common operations"),
            }
        }
    };
}
for_each_lane_op!(define_run);

/// One entry for each instruction set and kind of width.
macro_rules! entries {
    ($($(#[$attribute:meta])* $name:ident: $width:expr, $movemask:expr, $rare:ident;)*) => {$(
        $(#[$attribute])*
        #[inline(never)]
        pub(crate) fn $name(
            micros: &[Micro],
            extended: &[Extended],
            registers: &mut Registers,
            memory: &mut Memory<'_>,
        ) -> Option<LaneFault> {
            let width = $width(registers.chunks);
            let rare = |registers: &mut _, micro, extended: &_, memory: &mut _| $rare(registers, micro, extended, memory);
            run(micros, extended, registers, memory, width, $movemask, rare)
        }
    )*};
}

entries! {
    /// Warps of 32 with AVX2.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma,bmi1,bmi2,popcnt,lzcnt")]
    run_32_avx2: |_| Warp32, |words| movemask_avx2(words), rare_avx2;
    /// Any warps with AVX2.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma,bmi1,bmi2,popcnt,lzcnt")]
    run_any_avx2: Any, |words| movemask_avx2(words), rare_avx2;
    /// Any warps with what every processor of this architecture has.
    run_any_portable: Any, movemask_portable, rare_portable;
}

/// The rarer operations with AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,popcnt,lzcnt")]
#[inline(never)]
fn rare_avx2(registers: &mut Registers, micro: Micro, extended: &[Extended], memory: &mut Memory<'_>) -> Option<usize> {
    run_rare(registers, micro, extended, memory, |words| movemask_avx2(words))
}

/// The rarer operations with what every processor of this architecture has.
#[inline(never)]
fn rare_portable(
    registers: &mut Registers,
    micro: Micro,
    extended: &[Extended],
    memory: &mut Memory<'_>,
) -> Option<usize> {
    run_rare(registers, micro, extended, memory, movemask_portable)
}
