//! Atomic operations: what an element holds after one.
//!
//! A table of one row an operation: what it makes of the old value *o* and its operands *a* and *b*, for integers, floats and
//! `bool`. An operation that a type has not, as addition of `bool`s, leaves the element as it was; validation refuses it.
//!
//! A float is compared by its bits, as CUDA's `atomicCAS` does it: `-0.0` is not `0.0`. The payload of a NaN is open here,
//! so that all NaNs count as the same bits, and what is written is the canonical one.

use super::numeric::Real;
use super::{BinaryOp, define_names, evaluate_binary};
use crate::scalar::{Constant, Scalar, ScalarType};

define_names! {
    /// What an atomic operation does; names are those of `std::sync::atomic`, or like these.
    AtomicOp {
        /// Reads.
        Load = "load";
        /// Writes.
        Store = "store";
        /// Writes; the result is the old value.
        Swap = "swap";
        /// Writes the second operand if the old value is the first; the result is the old value.
        CompareExchange = "compare_exchange";
        /// Adds; integers wrap.
        Add = "fetch_add";
        /// Subtracts; integers wrap.
        Sub = "fetch_sub";
        /// Writes the smaller of the two; of a number and a NaN the number.
        Min = "fetch_min";
        /// Writes the larger of the two; of a number and a NaN the number.
        Max = "fetch_max";
        /// Writes the bits that both have.
        And = "fetch_and";
        /// Writes the bits that either has.
        Or = "fetch_or";
        /// Writes the bits that exactly one of them has.
        Xor = "fetch_xor";
        /// Counts up to a limit, from which on it begins again at zero (PTX `atom.inc`).
        Inc = "fetch_inc";
        /// Counts down to zero, from which it begins again at a limit, as it does above that (PTX `atom.dec`).
        Dec = "fetch_dec";
    }
}

impl AtomicOp {
    /// How many values it takes.
    pub const fn operands(self) -> usize {
        match self {
            Self::Load => 0,
            Self::CompareExchange => 2,
            Self::Store
            | Self::Swap
            | Self::Add
            | Self::Sub
            | Self::Min
            | Self::Max
            | Self::And
            | Self::Or
            | Self::Xor
            | Self::Inc
            | Self::Dec => 1,
        }
    }

    /// Whether `std::sync::atomic` has it, and so kernels in Rust; the others are those of code that comes from elsewhere.
    pub const fn is_of_std(self) -> bool {
        !matches!(self, Self::Inc | Self::Dec)
    }
}

/// What an element's bits become: from its old bits and those of the operands.
pub type AtomicMeaning = fn(u64, u64, u64) -> u64;

macro_rules! meanings {
    ($($op:ident: |$o:ident, $a:ident, $b:ident| int $int:expr, float $float:expr, bool $bool:expr;)*) => {
        /// What an operation on elements of a type does to their bits, which are zero-extended like those of a
        /// [`Constant`].
        ///
        /// ```
        /// use simt_core::ScalarType;
        /// use simt_core::ops::{AtomicOp, atomic_meaning};
        /// let min = atomic_meaning(AtomicOp::Min, ScalarType::I32);
        /// assert_eq!(min(3, 0xffff_fffe, 0), 0xffff_fffe);
        /// ```
        pub fn atomic_meaning(op: AtomicOp, ty: ScalarType) -> AtomicMeaning {
            let half = |add: AtomicMeaning| match op {
                AtomicOp::Add => add,
                _ => atomic_meaning(op, ScalarType::U16),
            };
            macro_rules! of {
                ($t:ty) => {
                    match op {
                        $(AtomicOp::$op => |o, a, b| {
                            let ($o, $a, $b) = (o as $t, a as $t, b as $t);
                            let _ = ($o, $a, $b);
                            // Signed values are not to be extended by their sign.
                            ($int) as u64 & (u64::MAX >> (64 - <$t>::BITS))
                        },)*
                    }
                };
            }
            macro_rules! of_float {
                ($t:ty) => {
                    match op {
                        $(AtomicOp::$op => |old, a, b| {
                            let ($o, $a, $b) = (<$t>::from_bits64(old), <$t>::from_bits64(a), <$t>::from_bits64(b));
                            let _ = ($o, $a, $b);
                            // What is not written keeps its bits.
                            $float.map_or(old, |written: $t| u64::from(Real::visible_bits(written)))
                        },)*
                    }
                };
            }
            match ty.machine() {
                ScalarType::U32 => of!(u32),
                ScalarType::I32 => of!(i32),
                ScalarType::U64 => of!(u64),
                ScalarType::I64 => of!(i64),
                ScalarType::F32 => of_float!(f32),
                ScalarType::F64 => of_float!(f64),
                ScalarType::Bool => match op {
                    $(AtomicOp::$op => |o, a, b| {
                        let ($o, $a, $b) = (o != 0, a != 0, b != 0);
                        let _ = ($o, $a, $b);
                        u64::from($bool)
                    },)*
                },
                ScalarType::U8 | ScalarType::I8 => of!(u8),
                ScalarType::U16 | ScalarType::I16 => of!(u16),
                ScalarType::F16 => half(|o, a, _| half_sum(ScalarType::F16, o, a)),
                ScalarType::Bf16 => half(|o, a, _| half_sum(ScalarType::Bf16, o, a)),
                ScalarType::Usize | ScalarType::Isize => unreachable!("they are machine types of 32 bits"),
            }
        }
    };
}
meanings! {
    Load: |o, a, b| int o, float None, bool o;
    Store: |o, a, b| int a, float Some(a), bool a;
    Swap: |o, a, b| int a, float Some(a), bool a;
    CompareExchange: |o, a, b|
        int if o == a { b } else { o }, float same(o, a).then_some(b), bool if o == a { b } else { o };
    Add: |o, a, b| int o.wrapping_add(a), float Some(o + a), bool o;
    Sub: |o, a, b| int o.wrapping_sub(a), float Some(o - a), bool o;
    Min: |o, a, b| int o.min(a), float Some(Real::least(o, a)), bool o;
    Max: |o, a, b| int o.max(a), float Some(Real::greatest(o, a)), bool o;
    And: |o, a, b| int o & a, float None, bool o & a;
    Or: |o, a, b| int o | a, float None, bool o | a;
    Xor: |o, a, b| int o ^ a, float None, bool o ^ a;
    Inc: |o, a, b| int if o >= a { 0 } else { o + 1 }, float None, bool o;
    Dec: |o, a, b| int if o == 0 || o > a { a } else { o.wrapping_sub(1) }, float None, bool o;
}

/// The sum of two floats of 16 bits.
fn half_sum(ty: ScalarType, a: u64, b: u64) -> u64 {
    let of = |bits| Constant { ty, bits };
    evaluate_binary(BinaryOp::Add, of(a), of(b)).map_or(a, |sum| sum.bits)
}

/// Whether two floats have the same bits, whatever the payload of a NaN.
fn same<T: Real>(a: T, b: T) -> bool {
    a.visible_bits() == b.visible_bits()
}

/// Whether elements of a type have an operation.
pub const fn has_atomic(op: AtomicOp, ty: ScalarType) -> bool {
    match ty.machine() {
        ScalarType::U32 | ScalarType::I32 | ScalarType::U64 | ScalarType::I64 => true,
        ScalarType::F32 | ScalarType::F64 => {
            !matches!(op, AtomicOp::And | AtomicOp::Or | AtomicOp::Xor | AtomicOp::Inc | AtomicOp::Dec)
        }
        ScalarType::Bool => {
            !matches!(op, AtomicOp::Add | AtomicOp::Sub | AtomicOp::Min | AtomicOp::Max | AtomicOp::Inc | AtomicOp::Dec)
        }
        _ => false,
    }
}

/// Whether what lies in memory by address has an operation: as elements, and of numbers of 8 and 16 bits what PTX has.
pub const fn has_atomic_at(op: AtomicOp, ty: ScalarType) -> bool {
    let copies = matches!(op, AtomicOp::Load | AtomicOp::Store | AtomicOp::Swap | AtomicOp::CompareExchange);
    match ty.machine() {
        ScalarType::U8 | ScalarType::I8 | ScalarType::U16 | ScalarType::I16 => copies,
        ScalarType::F16 | ScalarType::Bf16 => copies || matches!(op, AtomicOp::Add),
        _ => has_atomic(op, ty),
    }
}

/// What an element holds after an operation; operands that are not there count as zero.
pub fn evaluate_atomic(op: AtomicOp, old: Constant, operands: &[Constant]) -> Constant {
    let bits = |number: usize| operands.get(number).map_or(0, |operand| operand.bits);
    Constant { bits: atomic_meaning(op, old.ty)(old.bits, bits(0), bits(1)), ..old }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after<T: Scalar>(op: AtomicOp, old: T, operands: &[T]) -> T {
        let operands: Vec<_> = operands.iter().map(|&operand| Constant::of(operand)).collect();
        T::from_bits64(evaluate_atomic(op, Constant::of(old), &operands).bits)
    }

    #[test]
    fn the_values_worked_by_hand() {
        assert_eq!(after(AtomicOp::Load, 7u32, &[]), 7);
        assert_eq!(after(AtomicOp::Store, 7u32, &[9]), 9);
        assert_eq!(after(AtomicOp::Swap, -7i64, &[-9]), -9);
        assert_eq!(after(AtomicOp::CompareExchange, 7u32, &[7, 1]), 1);
        assert_eq!(after(AtomicOp::CompareExchange, 7u32, &[8, 1]), 7);
        assert_eq!(after(AtomicOp::Add, u32::MAX, &[2]), 1);
        assert_eq!(after(AtomicOp::Add, i32::MAX, &[1]), i32::MIN);
        assert_eq!(after(AtomicOp::Sub, 1usize, &[2]), u32::MAX as usize);
        assert_eq!(after(AtomicOp::Sub, i64::MIN, &[1]), i64::MAX);
        assert_eq!((after(AtomicOp::Min, -1i32, &[1]), after(AtomicOp::Max, -1i32, &[1])), (-1, 1));
        assert_eq!((after(AtomicOp::Min, u32::MAX, &[1]), after(AtomicOp::Max, u32::MAX, &[1])), (1, u32::MAX));
        assert_eq!((after(AtomicOp::Min, -1isize, &[-2]), after(AtomicOp::Max, 1u64 << 63, &[1])), (-2, 1 << 63));
        assert_eq!(after(AtomicOp::And, 0b1100u32, &[0b1010]), 0b1000);
        assert_eq!(after(AtomicOp::Or, 0b1100u32, &[0b1010]), 0b1110);
        assert_eq!(after(AtomicOp::Xor, 0b1100u32, &[0b1010]), 0b0110);
        // CUDA's `atomicInc` and `atomicDec`: at the limit, below it, above it, and at zero.
        let counted = |op, old: u32| after(op, old, &[7]);
        assert_eq!([7, 6, 9, 0].map(|old| counted(AtomicOp::Inc, old)), [0, 7, 0, 1]);
        assert_eq!([7, 6, 9, 0].map(|old| counted(AtomicOp::Dec, old)), [6, 5, 7, 7]);
        assert_eq!((after(AtomicOp::Inc, u32::MAX, &[u32::MAX]), after(AtomicOp::Dec, 0, &[u64::MAX])), (0, u64::MAX));
        assert!(after(AtomicOp::Xor, true, &[false]) && !after(AtomicOp::And, true, &[false]));
        assert!(after(AtomicOp::CompareExchange, false, &[false, true]));
    }

    #[test]
    fn floats_are_compared_by_bits_and_written_with_the_canonical_nan() {
        let nan = f32::from_bits(0xffc0_1234);
        assert_eq!((after(AtomicOp::Add, 0.5f32, &[0.25]), after(AtomicOp::Sub, 0.5f64, &[0.75])), (0.75, -0.25));
        assert_eq!((after(AtomicOp::Min, nan, &[1.0]), after(AtomicOp::Max, 1.0, &[nan])), (1.0, 1.0));
        assert_eq!(after(AtomicOp::Min, 0.0f64, &[-0.0]).to_bits(), (-0.0f64).to_bits());
        assert_eq!(after(AtomicOp::CompareExchange, 0.0f32, &[-0.0, 1.0]), 0.0);
        assert_eq!(after(AtomicOp::CompareExchange, nan, &[f32::NAN, 1.0]), 1.0);
        assert_eq!(after(AtomicOp::CompareExchange, nan, &[2.0, 1.0]).to_bits(), nan.to_bits());
        assert_eq!(after(AtomicOp::Swap, 2.0, &[nan]).to_bits(), f32::NAN.to_bits());
    }

    #[test]
    fn the_bits_of_an_element_stay_within_its_type() {
        for &op in AtomicOp::ALL {
            for ty in [ScalarType::I32, ScalarType::Isize, ScalarType::U32] {
                let bits = atomic_meaning(op, ty)(u64::from(u32::MAX), u64::from(u32::MAX), 1 << 31);
                assert!(bits <= u64::from(u32::MAX), "{} {ty}: {bits:x}", op.name());
            }
        }
        assert!(has_atomic(AtomicOp::Xor, ScalarType::Bool) && !has_atomic(AtomicOp::Add, ScalarType::Bool));
        assert!(has_atomic(AtomicOp::Add, ScalarType::F64) && !has_atomic(AtomicOp::And, ScalarType::F32));
        assert!(!has_atomic(AtomicOp::Load, ScalarType::U8));
    }

    #[test]
    fn what_is_short_has_less() {
        // 1.5 and 0.5 of each format.
        let sum = |ty, a, b| atomic_meaning(AtomicOp::Add, ty)(a, b, 0);
        assert_eq!((sum(ScalarType::F16, 0x3e00, 0x3800), sum(ScalarType::Bf16, 0x3fc0, 0x3f00)), (0x4000, 0x4000));
        let exchange = atomic_meaning(AtomicOp::CompareExchange, ScalarType::U16);
        assert_eq!((exchange(7, 7, 0xffff), exchange(7, 8, 0xffff)), (0xffff, 7));
        assert_eq!(atomic_meaning(AtomicOp::Swap, ScalarType::I8)(7, 0xff, 0), 0xff);
        assert!(has_atomic_at(AtomicOp::Swap, ScalarType::U8) && !has_atomic_at(AtomicOp::Add, ScalarType::U16));
        assert!(has_atomic_at(AtomicOp::Add, ScalarType::Bf16) && !has_atomic_at(AtomicOp::Min, ScalarType::F16));
        assert!(has_atomic_at(AtomicOp::Min, ScalarType::I64) && !has_atomic_at(AtomicOp::And, ScalarType::F64));
    }
}
