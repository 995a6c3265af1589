//! Segments: runs lane operations one after the other for the active lanes.
//!
//! Each operation is a function, a load or store two; a table has those of an instruction set and a width.
//!
//! PERF: a function for each operation, in place of one with a `match`: its frame is as small as the operation, and whether it
//! blends is known. Warps of 32 have functions of their own for the common operations, with unrolled loops, one that blends
//! and one that does not; other widths, and the rarer operations, share functions whose loops are not: unrolling all of them
//! makes the crate minutes slower to compile. `benches/speed.rs` measures it. Debug builds do without those of warps of 32: a
//! test's kernels take as long, and the crate half the time to compile.

use super::CHUNK;
use super::isa::Portable;
#[cfg(target_arch = "x86_64")]
use super::isa::{By, avx2};
use super::loops::{compare, divide, map1, map2, map2_long, map3, select, shift, strict, write, write_predicate};
use super::row::{Any, Registers, each_lane};
use super::slices::{load, load_bool, load_row, store, store_bool, store_row};
#[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
use super::warp32::Warp32;
use crate::memory::Memory;
use crate::plan::{LaneOp, Micro, Plan, for_each_lane_op};
use multiversion::multiversion;
use multiversion::target::match_target;
use simt_core::ops::{
    BinaryMeaning, CastMeaning, CompareMeaning, NumericMeaning, UnaryMeaning, binary_ops, compare_ops, numeric_ops,
    unary_ops,
};
use std::sync::OnceLock;

/// A lane could not execute its operation: the address is out of bounds, or the divisor is zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LaneFault {
    /// Which operation of the segment.
    pub(crate) place: u32,
    /// The lowest lane that faulted.
    pub(crate) lane: u32,
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
    (Strict($op:ident, $overflows:ident, $ty:ident),
     ($registers:ident, $micro:ident, $width:ident, $isa:ident, $memory:ident, $plan:ident)) => {
        strict::<$ty>(
            $registers,
            $micro,
            $width,
            $isa,
            |a, b| <binary_ops::$op as BinaryMeaning<$ty>>::apply(a, b),
            |a, b| <numeric_ops::$overflows as NumericMeaning<($ty, $ty)>>::apply((a, b)),
        )
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
     ($registers:ident, $micro:ident, $width:ident, $isa:ident, $memory:ident, $plan:ident)) => {
        nothing(compare::<$ty>($registers, $micro, $width, $isa, |a, b| {
            <compare_ops::$op as CompareMeaning<$ty>>::apply(a, b)
        }))
    };
    (Predicate(|$a:ident, $b:ident| $value:expr), ($registers:ident, $micro:ident, $($_0:ident),*)) => {{
        let $a = $registers.predicates[$micro.a as usize];
        let $b = $registers.predicates[$micro.b as usize];
        nothing(write_predicate($registers, $micro, $value))
    }};
    (Load($element:ident, $ty:ident),
     ($registers:ident, $micro:ident, $width:ident, $isa:ident, $memory:ident)) => {
        load::<$element, $ty>($registers, $micro, $width, $memory, $isa, |element| element as $ty)
    };
    (Store($element:ident, $ty:ident),
     ($registers:ident, $micro:ident, $width:ident, $isa:ident, $memory:ident)) => {
        store::<$element, $ty>($registers, $micro, $width, $memory, $isa, Stored::<$element>::stored)
    };
    (LoadRow($element:ident, $ty:ident),
     ($registers:ident, $micro:ident, $width:ident, $isa:ident, $memory:ident)) => {
        load_row::<$element, $ty>($registers, $micro, $width, $memory, $isa, |element| element as $ty)
    };
    (StoreRow($element:ident, $ty:ident),
     ($registers:ident, $micro:ident, $width:ident, $isa:ident, $memory:ident)) => {
        store_row::<$element, $ty>($registers, $micro, $width, $memory, $isa, Stored::<$element>::stored)
    };
    (LoadBool(), ($registers:ident, $micro:ident, $width:ident, $isa:ident, $memory:ident, $plan:ident)) => {
        load_bool($registers, $micro, $width, $memory, $isa)
    };
    (StoreBool(), ($registers:ident, $micro:ident, $width:ident, $isa:ident, $memory:ident, $plan:ident)) => {
        store_bool($registers, $micro, $width, $memory, $isa)
    };
    (FromPredicate($ty:ident), ($registers:ident, $micro:ident, $width:ident, $isa:ident, $($_0:ident),*)) => {{
        let bits = $registers.predicates[$micro.a as usize];
        nothing(write::<$ty>($registers, $micro, $width, $isa, |part| {
            each_lane(|lane| (bits >> (part * CHUNK + lane)) as $ty & 1)
        }))
    }};
    (Selector(), ($registers:ident, $micro:ident, $($_0:ident),*)) => {
        nothing($registers.selector = $registers.predicates[$micro.a as usize])
    };
    (Addend(), ($registers:ident, $micro:ident, $($_0:ident),*)) => {
        nothing($registers.addend = $micro.a)
    };
    (Select($ty:ident), ($registers:ident, $micro:ident, $width:ident, $isa:ident, $($_0:ident),*)) => {
        nothing(select::<$ty>($registers, $micro, $width, $isa))
    };
    (PredicateSelect(), ($registers:ident, $micro:ident, $($_0:ident),*)) => {{
        let selector = $registers.selector;
        let (a, b) = ($registers.predicates[$micro.a as usize], $registers.predicates[$micro.b as usize]);
        nothing(write_predicate($registers, $micro, (a & selector) | (b & !selector)))
    }};
    // PERF: no closure, which would not be compiled for the instruction set.
    (Extended(), ($registers:ident, $micro:ident, $width:ident, $isa:ident, $memory:ident, $plan:ident)) => {
        match $plan.extended.get($micro.extended()) {
            Some(operation) => operation.run($registers, $memory, $plan, $isa),
            None => None,
        }
    };
    (@loop $function:expr, ($registers:ident, $micro:ident, $width:ident, $isa:ident, $($_0:ident),*), $meaning:expr) => {
        $function($registers, $micro, $width, $isa, $meaning)
    };
}

/// No lane faults.
#[inline(always)]
fn nothing((): ()) -> Option<usize> {
    None
}

/// Runs an operation for the active lanes; returns the lowest lane that faulted.
type Run = fn(&mut Registers, &mut Memory<'_>, &Plan, &Micro) -> Option<usize>;

/// More operations than there are, so that an operation's number needs no check.
const OPS: usize = 256;

/// The functions of all operations.
type Functions = [Run; OPS];

/// The function of each operation by its [`code`], where some lanes of a row are not active, and where all are.
///
/// PERF: the row is chosen once for a segment, and a function by one number. When each operation asked whether to blend, and
/// its place was counted along, coming to its function took 24 instructions of the host; now it takes 18.
pub(super) type Table = [[Run; CODES]; 2];

/// Operations that blend, and behind them the same with destinations that die in their segment.
const CODES: usize = 2 * OPS;

/// The number of an operation's function.
#[inline(always)]
fn code(micro: Micro) -> usize {
    usize::from(micro.op as u8) + usize::from(micro.local) * OPS
}

fn table_of(blend: Functions, plain: Functions) -> Table {
    let some = std::array::from_fn(|code| if code < OPS { blend[code] } else { plain[code - OPS] });
    [some, std::array::from_fn(|code| plain[code % OPS])]
}

/// Runs operations one after the other for the active lanes.
#[inline(always)]
pub(crate) fn run(
    micros: &[Micro],
    plan: &Plan,
    registers: &mut Registers,
    memory: &mut Memory<'_>,
) -> Option<LaneFault> {
    let functions = &registers.table[usize::from(registers.mask.is_full())];
    let mut left = micros;
    while let [micro, others @ ..] = left {
        if let Some(lane) = functions[code(*micro)](registers, memory, plan, micro) {
            let place = micros.len() - left.len();
            return Some(LaneFault { place: place as u32, lane: lane as u32 });
        }
        left = others;
    }
    None
}

/// The functions of all operations, from the attributes that each function gets, the widths of common and of rare
/// operations, and what makes the instruction set.
macro_rules! functions {
    (
        $attributes:tt $common_width:tt $rare_width:tt $isa:tt
        common { $($common:ident = $of:ident $with:tt;)* }
        rare { $($rare:ident = $rare_of:ident $rare_with:tt;)* }
    ) => {{
        let mut functions: Functions = [|_, _, _, _| None; OPS];
        $(functions[LaneOp::$common as usize] = functions!(@of $attributes $common_width $isa $of $with);)*
        $(functions[LaneOp::$rare as usize] = functions!(@of $attributes $rare_width $isa $rare_of $rare_with);)*
        functions
    }};
    (@of $attributes:tt $width:tt $isa:tt Load $with:tt) => {
        functions!(@by_row $attributes $width $isa Load LoadRow $with)
    };
    (@of $attributes:tt $width:tt $isa:tt Store $with:tt) => {
        functions!(@by_row $attributes $width $isa Store StoreRow $with)
    };
    // What all lanes do to consecutive elements; all else is a function apart (`slices`).
    (@by_row { $(#[$attribute:meta])* } { $width:expr } { $isa:expr } $shape:ident $by_row:ident $with:tt) => {{
        $(#[$attribute])*
        #[inline(never)]
        fn by_lane(registers: &mut Registers, memory: &mut Memory<'_>, micro: &Micro) -> Option<usize> {
            let (micro, width, isa) = (*micro, $width(registers.chunks), $isa);
            execute!($shape $with, (registers, micro, width, isa, memory))
        }
        $(#[$attribute])*
        fn run(registers: &mut Registers, memory: &mut Memory<'_>, _plan: &Plan, micro: &Micro) -> Option<usize> {
            let (copy, width, isa) = (*micro, $width(registers.chunks), $isa);
            if execute!($by_row $with, (registers, copy, width, isa, memory)) {
                return None;
            }
            by_lane(registers, memory, micro)
        }
        run
    }};
    (@of { $(#[$attribute:meta])* } { $width:expr } { $isa:expr } $shape:ident $with:tt) => {{
        $(#[$attribute])*
        #[allow(unused_variables, reason = "few operations need all of it")]
        fn run(registers: &mut Registers, memory: &mut Memory<'_>, plan: &Plan, micro: &Micro) -> Option<usize> {
            let (micro, width, isa) = (*micro, $width(registers.chunks), $isa);
            execute!($shape $with, (registers, micro, width, isa, memory, plan))
        }
        run
    }};
}

/// The functions with AVX2: of any width, and of warps of 32.
#[cfg(target_arch = "x86_64")]
macro_rules! functions_avx2 {
    ($common_width:expr) => {
        for_each_lane_op!(
            functions,
            { #[target_feature(enable = "avx2,fma,bmi1,bmi2,popcnt,lzcnt")] }
            { $common_width }
            { Any }
            {
                By(
                    |words| avx2::movemask(words),
                    |words| avx2::movemask_32(words),
                    |words| avx2::are_zero(words),
                    |bits, part, new, old| avx2::blend_words(bits, part, new, old),
                    |bits, part, new, old| avx2::blend_wides(bits, part, new, old),
                )
            }
        )
    };
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,popcnt,lzcnt")]
fn tables_avx2() -> [Table; 2] {
    let any = functions_avx2!(Any);
    #[cfg(not(debug_assertions))]
    let few = table_of(functions_avx2!(|_| Warp32::<true>), functions_avx2!(|_| Warp32::<false>));
    #[cfg(debug_assertions)]
    let few = table_of(any, any);
    [table_of(any, any), few]
}

fn tables_portable() -> [Table; 2] {
    let any = for_each_lane_op!(functions, {} { Any } { Any } { Portable });
    [table_of(any, any); 2]
}

#[multiversion(targets("x86_64+avx2+fma+bmi1+bmi2+popcnt+lzcnt"))]
fn tables() -> [Table; 2] {
    match_target! {
        "x86_64+avx2+fma+bmi1+bmi2+popcnt+lzcnt" => tables_avx2(),
        _ => tables_portable(),
    }
}

/// The functions of this processor, for rows of a `Warp32` or for any.
pub(super) fn table(are_few: bool) -> &'static Table {
    static TABLES: OnceLock<[Table; 2]> = OnceLock::new();
    &TABLES.get_or_init(tables)[usize::from(are_few)]
}
