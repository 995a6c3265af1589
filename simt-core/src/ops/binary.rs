//! Binary arithmetic, bit and shift operations.

use super::{ArithmeticFault, NumericFn, half};
use crate::scalar::{Constant, Scalar, ScalarType};

/// What a binary operation means on values of type `T`. A shift's count comes as a `T` too, already reduced.
pub trait BinaryMeaning<T> {
    /// The result of the operation.
    fn apply(left: T, right: T) -> T;
}

macro_rules! for_each_binary_op {
    ($consume:ident) => {
        $consume! {
            /// `a + b`
            Add = "add", "+", int(a, b) a.wrapping_add(b), float(c, d) c + d;
            /// `a - b`
            Sub = "sub", "-", int(a, b) a.wrapping_sub(b), float(c, d) c - d;
            /// `a * b`
            Mul = "mul", "*", int(a, b) a.wrapping_mul(b), float(c, d) c * d;
            /// `a / b`; an integer division by zero is a fault
            Div = "div", "/", int(a, b) a.wrapping_div(b), float(c, d) c / d;
            /// `a % b`; an integer remainder by zero is a fault
            Rem = "rem", "%", int(a, b) a.wrapping_rem(b), float(c, d) c % d;
            /// `a & b`
            And = "and", "&", int(a, b) a & b, bool(c, d) c & d;
            /// `a | b`
            Or = "or", "|", int(a, b) a | b, bool(c, d) c | d;
            /// `a ^ b`
            Xor = "xor", "^", int(a, b) a ^ b, bool(c, d) c ^ d;
            /// `a << b`, by the low bits of `b`
            Shl = "shl", "<<", int(a, b) a.wrapping_shl(b as u32);
            /// `a >> b`, by the low bits of `b`; copies the sign of a signed `a`
            Shr = "shr", ">>", int(a, b) a.wrapping_shr(b as u32);
        }
    };
}

macro_rules! define_binary_op {
    ($($(#[$doc:meta])* $name:ident = $text:literal, $symbol:literal
        $(, $kind:ident($a:ident, $b:ident) $meaning:expr)*;)*) => {
        /// A binary operation.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum BinaryOp { $($(#[$doc])* $name,)* }

        impl BinaryOp {
            /// Every binary operation.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// Name in `Code`, to which the type is appended: `add.u32`.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// Symbol in the while-language.
            pub const fn symbol(self) -> &'static str {
                match self { $(Self::$name => $symbol,)* }
            }

            /// Whether values of the type have this operation.
            pub const fn accepts(self, ty: ScalarType) -> bool {
                match self { $(Self::$name => false $(|| define_binary_op!(@is $kind ty))*,)* }
            }

            /// What it means on bits of a 16-bit float, if the type is one that has it.
            pub fn half_meaning(self, ty: ScalarType) -> Option<NumericFn> {
                match self { $(Self::$name => define_binary_op!(@half $name, ty, $($kind)*),)* }
            }
        }

        /// One unit struct an operation, to carry its meaning as a type.
        pub mod binary {
            use super::BinaryMeaning;
            $($(#[$doc])* #[derive(Clone, Copy, Debug)] pub struct $name;
              $(define_binary_op!(@impl $kind $name, $a, $b, $meaning);)*)*
        }

        fn apply(op: BinaryOp, ty: ScalarType, left: u64, right: u64) -> Option<u64> {
            if ty.is_half() {
                return op.half_meaning(ty)?([left, right, 0]);
            }
            match op {
                $(BinaryOp::$name => {
                    $(define_binary_op!(@eval $kind $name, ty, left, right);)*
                    None
                })*
            }
        }
    };
    (@half $name:ident, $ty:ident, int float) => { half::meaning::<half::Binary<binary::$name>>($ty) };
    (@half $name:ident, $ty:ident, $($kind:ident)*) => { None };
    (@is int $ty:ident) => { $ty.is_int() };
    (@is float $ty:ident) => { $ty.is_float() };
    (@is bool $ty:ident) => { matches!($ty, ScalarType::Bool) };
    (@impl int $name:ident, $a:ident, $b:ident, $m:expr) => {
        define_binary_op!(@impls $name, $a, $b, $m, u8 u16 u32 u64 i8 i16 i32 i64);
    };
    (@impl float $name:ident, $a:ident, $b:ident, $m:expr) => {
        define_binary_op!(@impls $name, $a, $b, $m, f32 f64);
    };
    (@impl bool $name:ident, $a:ident, $b:ident, $m:expr) => {
        define_binary_op!(@impls $name, $a, $b, $m, bool);
    };
    (@impls $name:ident, $a:ident, $b:ident, $m:expr, $($t:ident)*) => {$(
        impl BinaryMeaning<$t> for $name {
            #[inline(always)]
            fn apply($a: $t, $b: $t) -> $t { $m }
        }
    )*};
    (@eval int $name:ident, $ty:ident, $l:ident, $r:ident) => {
        define_binary_op!(@evals $name, $ty, $l, $r,
            U8: u8, U16: u16, U32: u32, U64: u64, I8: i8, I16: i16, I32: i32, I64: i64);
    };
    (@eval float $name:ident, $ty:ident, $l:ident, $r:ident) => {
        define_binary_op!(@evals $name, $ty, $l, $r, F32: f32, F64: f64);
    };
    (@eval bool $name:ident, $ty:ident, $l:ident, $r:ident) => {
        define_binary_op!(@evals $name, $ty, $l, $r, Bool: bool);
    };
    (@evals $name:ident, $ty:ident, $l:ident, $r:ident, $($variant:ident: $t:ident),*) => {
        $(if matches!($ty, ScalarType::$variant) {
            return Some(<binary::$name as BinaryMeaning<$t>>::apply(
                $t::from_bits64($l), $t::from_bits64($r)).to_bits64());
        })*
    };
}
for_each_binary_op!(define_binary_op);

impl BinaryOp {
    /// Whether the operation is a shift, whose right operand is a `u32` count whatever the left one's type.
    pub const fn is_shift(self) -> bool {
        matches!(self, Self::Shl | Self::Shr)
    }

    /// Whether the operation faults on a zero right operand of this type.
    pub const fn can_fault(self, ty: ScalarType) -> bool {
        matches!(self, Self::Div | Self::Rem) && ty.is_int()
    }
}

/// The meaning of a binary operation on constants.
///
/// # Errors
/// Integer division or remainder by zero.
///
/// # Panics
/// If the operation does not take the left operand's type: validation excludes it.
pub fn evaluate_binary(op: BinaryOp, left: Constant, right: Constant) -> Result<Constant, ArithmeticFault> {
    let ty = left.ty;
    if op.can_fault(ty) && right.bits == 0 {
        let is_remainder = op == BinaryOp::Rem;
        return Err(if is_remainder { ArithmeticFault::RemainderByZero } else { ArithmeticFault::DivisionByZero });
    }
    // A shift's count is reduced by the meaning itself; here it is only brought to the left operand's type.
    let count_mask = u64::from(ty.bits().max(8) - 1);
    let right = if op.is_shift() { right.bits & count_mask } else { right.bits };
    let bits = apply(op, ty.machine(), left.bits, right);
    let bits = bits.unwrap_or_else(|| unreachable!("validated: {} is not defined on {ty}", op.name()));
    Ok(Constant { ty, bits })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check<T: Scalar>(op: BinaryOp, left: T, right: T, expected: T) {
        let result = evaluate_binary(op, Constant::of(left), Constant::of(right));
        assert_eq!(result, Ok(Constant::of(expected)));
    }

    #[test]
    fn each_row_on_values_worked_by_hand() {
        check(BinaryOp::Add, 250u8, 10, 4);
        check(BinaryOp::Add, 1.5f32, 2.0, 3.5);
        check(BinaryOp::Sub, 1u32, 2, u32::MAX);
        check(BinaryOp::Mul, i32::MAX, 2, -2);
        check(BinaryOp::Div, i32::MIN, -1, i32::MIN);
        check(BinaryOp::Div, 7.0f64, 2.0, 3.5);
        check(BinaryOp::Rem, -7i16, 3, -1);
        check(BinaryOp::Rem, 7.5f32, 2.0, 1.5);
        check(BinaryOp::And, true, false, false);
        check(BinaryOp::Or, 0b1100u16, 0b0011, 0b1111);
        check(BinaryOp::Xor, true, true, false);
        check(BinaryOp::Shl, 1usize, 31, 1 << 31);
        check(BinaryOp::Shr, -8i64, 1, -4);
        check(BinaryOp::Shr, 0x80u8, 7, 1);
    }

    #[test]
    fn shift_count_uses_its_low_bits() {
        check(BinaryOp::Shl, 1u32, 33, 2);
        check(BinaryOp::Shl, 1u8, 9, 2);
        check(BinaryOp::Shr, -128i8, 15, -1);
    }

    #[test]
    fn zero_divisors_are_faults_for_integers_only() {
        let zero = Constant::of(0i8);
        assert_eq!(evaluate_binary(BinaryOp::Div, zero, zero), Err(ArithmeticFault::DivisionByZero));
        assert_eq!(evaluate_binary(BinaryOp::Rem, zero, zero), Err(ArithmeticFault::RemainderByZero));
        check(BinaryOp::Div, 1.0f32, 0.0, f32::INFINITY);
    }

    #[test]
    fn accepts_agrees_with_the_meanings() {
        for &op in BinaryOp::ALL {
            for &ty in ScalarType::ALL {
                assert_eq!(op.accepts(ty), apply(op, ty.machine(), 1, 1).is_some(), "{op:?} {ty}");
            }
        }
    }
}
