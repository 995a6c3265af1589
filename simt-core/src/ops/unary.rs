//! Unary operations: negation and complement.

use super::{NumericFn, half};
use crate::scalar::{Constant, Scalar, ScalarType};

/// What a unary operation means on values of type `T`.
pub trait UnaryMeaning<T> {
    /// The result of the operation.
    fn apply(value: T) -> T;
}

macro_rules! for_each_unary_op {
    ($consume:ident) => {
        $consume! {
            /// `-a`; the least signed integer negates to itself
            Neg = "neg", "-", (a) a.wrapping_neg() => u8 u16 u32 u64 i8 i16 i32 i64, (b) -b => f32 f64;
            /// `!a`, bit by bit; for `bool`, logical not
            Not = "not", "!", (a) !a => u8 u16 u32 u64 i8 i16 i32 i64 bool;
        }
    };
}

macro_rules! define_unary_op {
    ($($(#[$doc:meta])* $name:ident = $text:literal, $symbol:literal
        $(, ($a:ident) $meaning:expr => $($t:ident)*)*;)*) => {
        /// A unary operation.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum UnaryOp { $($(#[$doc])* $name,)* }

        impl UnaryOp {
            /// Every unary operation.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// Name in `Code`, to which the type is appended: `neg.f32`.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// Symbol in the while-language.
            pub const fn symbol(self) -> &'static str {
                match self { $(Self::$name => $symbol,)* }
            }
        }

        /// One unit struct an operation, to carry its meaning as a type.
        pub mod unary {
            use super::UnaryMeaning;
            $($(#[$doc])* #[derive(Clone, Copy, Debug)] pub struct $name;
              $($(impl UnaryMeaning<$t> for $name {
                  #[inline(always)]
                  fn apply($a: $t) -> $t { $meaning }
              })*)*)*
        }

        fn apply(op: UnaryOp, ty: ScalarType, bits: u64) -> Option<u64> {
            if ty.is_half() {
                return op.half_meaning(ty)?([bits, 0, 0]);
            }
            match op {
                $(UnaryOp::$name => {
                    $($(if ty == <$t as Scalar>::TYPE {
                        return Some(<unary::$name as UnaryMeaning<$t>>::apply($t::from_bits64(bits)).to_bits64());
                    })*)*
                    None
                })*
            }
        }
    };
}
for_each_unary_op!(define_unary_op);

impl UnaryOp {
    /// Whether values of the type have this operation in the kernel language.
    pub const fn accepts(self, ty: ScalarType) -> bool {
        match self {
            Self::Neg => ty.is_signed_int() || ty.is_float(),
            Self::Not => !ty.is_float(),
        }
    }

    /// What it means on bits of a 16-bit float, if the type is one that has it.
    pub fn half_meaning(self, ty: ScalarType) -> Option<NumericFn> {
        match self {
            Self::Neg => half::meaning::<half::Unary<unary::Neg>>(ty),
            Self::Not => None,
        }
    }
}

/// The meaning of a unary operation on a constant.
///
/// # Panics
/// If the operation does not take the operand's type: validation excludes it.
pub fn evaluate_unary(op: UnaryOp, value: Constant) -> Constant {
    let bits = apply(op, value.ty.machine(), value.bits);
    let bits = bits.unwrap_or_else(|| unreachable!("validated: {} is not defined on {}", op.name(), value.ty));
    Constant { bits, ..value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check<T: Scalar>(op: UnaryOp, value: T, expected: T) {
        assert_eq!(evaluate_unary(op, Constant::of(value)), Constant::of(expected));
    }

    #[test]
    fn each_row_on_values_worked_by_hand() {
        check(UnaryOp::Neg, 5i8, -5);
        check(UnaryOp::Neg, i64::MIN, i64::MIN);
        check(UnaryOp::Neg, 1.5f64, -1.5);
        check(UnaryOp::Not, 0x0fu8, 0xf0);
        check(UnaryOp::Not, 0usize, u32::MAX as usize);
        check(UnaryOp::Not, true, false);
    }
}
