//! Segments: runs lane operations one after the other for the active lanes.
//!
//! The match on the operation stands outside the lane loop.
//!
//! PERF: one function per instruction set, called directly by the clone of the engine's loop for that set. Warps of 32 have loops
//! of their own for the common operations, unrolled; other widths, and the rarer operations, share loops that are not:
//! unrolling all of them makes the crate minutes slower to compile. `benches/speed.rs` measures it.

use super::CHUNK;
use super::loops::{
    compare, divide, load, load_bool, map1, map2, map2_long, map3, select, shift, store, store_bool, write,
    write_predicate,
};
use super::row::{Any, Registers, RowWidth, Warp32, each_lane};
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

/// Executes an operation of a shape, with what the engine has at hand. Its value is the lowest lane that faulted.
///
/// PERF: no function, so that the loops are compiled for the instruction set of the caller.
macro_rules! execute {
    (Binary($op:ident, $ty:ident), $at:tt) => {
        nothing(execute!(@loop map2::<$ty>, $at, |a, b| <binary_ops::$op as BinaryMeaning<$ty>>::apply(a, b)))
    };
    (Shift($op:ident, $ty:ident), $at:tt) => {
        nothing(execute!(@loop shift::<$ty>, $at, |a, b| <binary_ops::$op as BinaryMeaning<$ty>>::apply(a, b)))
    };
    (Unary($op:ident, $ty:ident), $at:tt) => {
        nothing(execute!(@loop map1::<$ty, $ty>, $at, |a| <unary_ops::$op as UnaryMeaning<$ty>>::apply(a)))
    };
    (Convert($from:ident, $to:ident), $at:tt) => {
        nothing(execute!(@loop map1::<$from, $to>, $at, |a| CastMeaning::<$to>::cast(a)))
    };
    (Numeric1($op:ident, $ty:ident, $to:ident), $at:tt) => {
        nothing(execute!(@loop map1::<$ty, $to>, $at, |a| <numeric_ops::$op as NumericMeaning<($ty,)>>::apply((a,))))
    };
    (Numeric2($op:ident, $ty:ident), $at:tt) => {
        nothing(execute!(@loop map2_long::<$ty>, $at, |a, b| {
            <numeric_ops::$op as NumericMeaning<($ty, $ty)>>::apply((a, b))
        }))
    };
    (Numeric3($op:ident, $ty:ident), $at:tt) => {
        nothing(execute!(@loop map3::<$ty>, $at, |a, b, c| {
            <numeric_ops::$op as NumericMeaning<($ty, $ty, $ty)>>::apply((a, b, c))
        }))
    };
    (Divide($op:ident, $ty:ident), ($registers:ident, $micro:ident, $width:ident, $($_0:ident),*)) => {
        divide::<$ty>($registers, $micro, $width, 0, |a, b| <binary_ops::$op as BinaryMeaning<$ty>>::apply(a, b))
    };
    (Compare($op:ident, $ty:ident),
     ($registers:ident, $micro:ident, $width:ident, $movemask:ident, $memory:ident, $extended:ident)) => {
        nothing(compare::<$ty>($registers, $micro, $width, $movemask, |a, b| {
            <compare_ops::$op as CompareMeaning<$ty>>::apply(a, b)
        }))
    };
    (Predicate(|$a:ident, $b:ident| $value:expr), ($registers:ident, $micro:ident, $($_0:ident),*)) => {{
        let $a = $registers.predicates[$micro.a as usize];
        let $b = $registers.predicates[$micro.b as usize];
        nothing(write_predicate($registers, $micro, $value))
    }};
    (Load($element:ident, $ty:ident),
     ($registers:ident, $micro:ident, $width:ident, $movemask:ident, $memory:ident, $extended:ident)) => {
        load::<$element, $ty>($registers, $micro, $width, $memory, $movemask, |element| element as $ty)
    };
    (Store($element:ident, $ty:ident),
     ($registers:ident, $micro:ident, $width:ident, $movemask:ident, $memory:ident, $extended:ident)) => {
        store::<$element, $ty>($registers, $micro, $width, $memory, $movemask, Stored::<$element>::stored)
    };
    (LoadBool(), ($registers:ident, $micro:ident, $width:ident, $movemask:ident, $memory:ident, $extended:ident)) => {
        load_bool($registers, $micro, $width, $memory, $movemask)
    };
    (StoreBool(), ($registers:ident, $micro:ident, $width:ident, $movemask:ident, $memory:ident, $extended:ident)) => {
        store_bool($registers, $micro, $width, $memory, $movemask)
    };
    (FromPredicate($ty:ident), ($registers:ident, $micro:ident, $width:ident, $($_0:ident),*)) => {{
        let bits = $registers.predicates[$micro.a as usize];
        nothing(write::<$ty>($registers, $micro, $width, |part| {
            each_lane(|lane| (bits >> (part * CHUNK + lane)) as $ty & 1)
        }))
    }};
    (Selector(), ($registers:ident, $micro:ident, $($_0:ident),*)) => {
        nothing($registers.selector = $registers.predicates[$micro.a as usize])
    };
    (Addend(), ($registers:ident, $micro:ident, $($_0:ident),*)) => {
        nothing($registers.addend = $micro.a)
    };
    (Select($ty:ident), ($registers:ident, $micro:ident, $width:ident, $($_0:ident),*)) => {
        nothing(select::<$ty>($registers, $micro, $width))
    };
    (PredicateSelect(), ($registers:ident, $micro:ident, $($_0:ident),*)) => {{
        let selector = $registers.selector;
        let (a, b) = ($registers.predicates[$micro.a as usize], $registers.predicates[$micro.b as usize]);
        nothing(write_predicate($registers, $micro, (a & selector) | (b & !selector)))
    }};
    // PERF: no closure, which would not be compiled for the instruction set.
    (Extended(), ($registers:ident, $micro:ident, $width:ident, $movemask:ident, $memory:ident, $extended:ident)) => {
        match $extended.get($micro.extended()) {
            Some(operation) => operation.run($registers, $memory),
            None => None,
        }
    };
    (@loop $function:expr, ($registers:ident, $micro:ident, $width:ident, $($_0:ident),*), $meaning:expr) => {
        $function($registers, $micro, $width, $meaning)
    };
}

/// No lane faults.
#[inline(always)]
fn nothing((): ()) -> Option<usize> {
    None
}

macro_rules! define_run {
    (
        common { $($common:ident = $of:ident($($with:tt)*);)* }
        rare { $($rare:ident = $rare_of:ident($($rare_with:tt)*);)* }
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
                    $(LaneOp::$common => {
                        execute!($of($($with)*), (registers, micro, width, movemask, memory, extended))
                    })*
                    // PERF: listed, so that the indirect jump needs no check of its range.
                    $(LaneOp::$rare)|* => rare(registers, micro, extended, memory),
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
                $(LaneOp::$rare => {
                    execute!($rare_of($($rare_with)*), (registers, micro, width, movemask, memory, extended))
                })*
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
