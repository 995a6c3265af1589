//! Numeric methods of two integers of which one has a sign: `a.checked_add_signed(b)`.

use super::arena::Operand;
use super::derived::{Wrapped, greatest, least};
use super::{Builder, IntoValue, Value};
use crate::ops::{BinaryOp, Int, NumericOp, SignedInt, UnsignedInt};
use crate::scalar::{Scalar, ScalarType};

/// Each row: the methods that wrap, tell so in a pair or in an `Option`, and give the nearest number; the operation, the one
/// that tells whether it wraps, and whether the second operand below zero makes the result greater.
macro_rules! mixed_methods {
    ($bound:ident, $other:ident: $($wrapping:ident, $overflowing:ident, $checked:ident, $saturating:ident:
        $op:ident, $overflows:ident, $grows:literal;)*) => {
        impl Builder {$(
            #[doc = concat!("`a.", stringify!($wrapping), "(b)`")]
            #[inline(never)]
            pub fn $wrapping<T: $bound>(&self, at: u32, a: impl IntoValue<T>, b: impl IntoValue<T::$other>) -> Value<T> {
                let (result, _) = self.mixed::<T, T::$other>(at, (BinaryOp::$op, NumericOp::$overflows), a, b).1;
                Value::new(result)
            }

            #[doc = concat!("`a.", stringify!($overflowing), "(b)`. May emit assignments to temporaries.")]
            #[inline(never)]
            pub fn $overflowing<T: $bound>(
                &self,
                at: u32,
                a: impl IntoValue<T>,
                b: impl IntoValue<T::$other>,
            ) -> Value<(T, bool)> {
                let (result, wraps) = self.mixed::<T, T::$other>(at, (BinaryOp::$op, NumericOp::$overflows), a, b).1;
                Value::new(self.whole(&[result, wraps]))
            }

            #[doc = concat!("`a.", stringify!($checked), "(b)`. May emit assignments to temporaries.")]
            #[inline(never)]
            pub fn $checked<T: $bound>(
                &self,
                at: u32,
                a: impl IntoValue<T>,
                b: impl IntoValue<T::$other>,
            ) -> Value<Option<T>> {
                let (result, wraps) = self.mixed::<T, T::$other>(at, (BinaryOp::$op, NumericOp::$overflows), a, b).1;
                self.option(at, wraps, result)
            }

            #[doc = concat!("`a.", stringify!($saturating), "(b)`. Emits an `if`.")]
            #[inline(never)]
            pub fn $saturating<T: $bound>(
                &self,
                at: u32,
                a: impl IntoValue<T>,
                b: impl IntoValue<T::$other>,
            ) -> Value<T> {
                let span = self.span(at);
                let (b, (result, wraps)) =
                    self.mixed::<T, T::$other>(at, (BinaryOp::$op, NumericOp::$overflows), a, b);
                let is_greater = match <T::$other as Scalar>::TYPE.is_signed_int() {
                    true => self.is_below_zero::<T::$other>(span, b),
                    false => Operand::constant(true),
                };
                let (then, otherwise) = if $grows { (greatest::<T>(), least::<T>()) } else { (least::<T>(), greatest::<T>()) };
                let bound = self.choose(span, T::TYPE, is_greater, then, otherwise);
                Value::new(self.choose(span, T::TYPE, wraps, bound, result))
            }
        )*}
    };
}

mixed_methods! {
    UnsignedInt, Signed:
    wrapping_add_signed, overflowing_add_signed, checked_add_signed, saturating_add_signed:
        Add, AddOverflows, false;
    wrapping_sub_signed, overflowing_sub_signed, checked_sub_signed, saturating_sub_signed:
        Sub, SubOverflows, true;
}
mixed_methods! {
    SignedInt, Unsigned:
    wrapping_add_unsigned, overflowing_add_unsigned, checked_add_unsigned, saturating_add_unsigned:
        Add, AddOverflows, true;
    wrapping_sub_unsigned, overflowing_sub_unsigned, checked_sub_unsigned, saturating_sub_unsigned:
        Sub, SubOverflows, false;
}

impl Builder {
    /// `a op b` of two integers of the same width, and whether it wraps; with `b`.
    fn mixed<T: Int, U: Int>(
        &self,
        at: u32,
        (op, overflows): (BinaryOp, NumericOp),
        a: impl IntoValue<T>,
        b: impl IntoValue<U>,
    ) -> (Operand, Wrapped) {
        let span = self.span(at);
        let (a, b) = (self.pinned::<T>(span, a), self.pinned::<U>(span, b));
        let other = self.conversion(span, U::TYPE, T::TYPE, b);
        let other = self.pin(span, T::TYPE, other);
        let result = self.binary(span, op, T::TYPE, a, other);
        let wraps = self.numeric(span, overflows, T::TYPE, [a, other].into());
        // One of the two says whether the sign bit is one.
        let is_negative = match U::TYPE.is_signed_int() {
            true => self.is_below_zero::<U>(span, b),
            false => self.is_below_zero::<T>(span, other),
        };
        (b, (result, self.binary(span, BinaryOp::Xor, ScalarType::Bool, wraps, is_negative)))
    }
}
