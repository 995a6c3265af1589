//! Numeric methods that are made of others: results that are bounded, counts beyond the width.
//!
//! Their operands are evaluated first, into temporaries unless they keep their value anyway.

use super::arena::{Leaf, Operand};
use super::{Builder, IntoValue, Value};
use crate::ops::{BinaryOp, CompareOp, Int, Num, NumericOp, SignedInt, UnaryOp, UnsignedInt};
use crate::scalar::{Constant, Scalar, ScalarType};
use crate::source::Span;

/// What an operation gives, and whether it wraps.
pub(super) type Wrapped = (Operand, Operand);

/// Divisions: the method that gives a pair and the one that gives an `Option`, and the operation.
macro_rules! divisions {
    ($($overflowing:ident $(, $checked:ident)?: |$k:ident, $span:ident, $ty:ident, $a:ident, $b:ident| $result:expr;)*) => {
        impl Builder {$(
            #[doc = concat!("`a.", stringify!($overflowing), "(b)`. May emit assignments to temporaries.")]
            #[inline(never)]
            pub fn $overflowing<T: Int>(&self, at: u32, a: impl IntoValue<T>, b: impl IntoValue<T>) -> Value<(T, bool)> {
                let ($k, $span, $ty) = (self, self.span(at), T::TYPE);
                let ($a, $b) = (self.pinned::<T>($span, a), self.pinned::<T>($span, b));
                let wraps = self.numeric($span, NumericOp::DivOverflows, T::TYPE, [$a, $b].into());
                Value::new(self.whole(&[$result, wraps]))
            }

            $(
                #[doc = concat!("`a.", stringify!($checked), "(b)`. Emits an `if` around the division.")]
                #[inline(never)]
                pub fn $checked<T: Int>(&self, at: u32, a: impl IntoValue<T>, b: impl IntoValue<T>) -> Value<Option<T>> {
                    let ($k, $span, $ty) = (self, self.span(at), T::TYPE);
                    let ($a, $b) = (self.pinned::<T>($span, a), self.pinned::<T>($span, b));
                    let wraps = self.numeric($span, NumericOp::DivOverflows, T::TYPE, [$a, $b].into());
                    let wraps = self.pin($span, ScalarType::Bool, wraps);
                    self.unless::<T>(at, wraps, $result)
                }
            )?
        )*}
    };
}

divisions! {
    overflowing_div: |k, span, ty, a, b| k.binary(span, BinaryOp::Div, ty, a, b);
    overflowing_rem: |k, span, ty, a, b| k.binary(span, BinaryOp::Rem, ty, a, b);
    overflowing_div_euclid, checked_div_euclid:
        |k, span, ty, a, b| k.numeric(span, NumericOp::DivEuclid, ty, [a, b].into());
    overflowing_rem_euclid, checked_rem_euclid:
        |k, span, ty, a, b| k.numeric(span, NumericOp::RemEuclid, ty, [a, b].into());
}

/// Counts that may reach the width: the method that gives a pair, the one that shifts everything out, and the operation.
macro_rules! shifts {
    ($($overflowing:ident, $unbounded:ident: $op:ident;)*) => {
        impl Builder {$(
            #[doc = concat!("`a.", stringify!($overflowing), "(b)`. May emit assignments to temporaries.")]
            #[inline(never)]
            pub fn $overflowing<T: Int>(&self, at: u32, a: impl IntoValue<T>, b: impl IntoValue<u32>) -> Value<(T, bool)> {
                let (_, result, beyond) = self.shift::<T>(at, BinaryOp::$op, a, b);
                Value::new(self.whole(&[result, beyond]))
            }

            #[doc = concat!("`a.", stringify!($unbounded), "(b)`. Emits an `if`.")]
            #[inline(never)]
            pub fn $unbounded<T: Int>(&self, at: u32, a: impl IntoValue<T>, b: impl IntoValue<u32>) -> Value<T> {
                let span = self.span(at);
                let (a, result, beyond) = self.shift::<T>(at, BinaryOp::$op, a, b);
                let out = match BinaryOp::$op == BinaryOp::Shr && T::TYPE.is_signed_int() {
                    true => self.binary(span, BinaryOp::Shr, T::TYPE, a, Operand::constant(T::TYPE.bits() - 1)),
                    false => number::<T>(0),
                };
                Value::new(self.choose(span, T::TYPE, beyond, out, result))
            }
        )*}
    };
}

shifts! {
    overflowing_shl, unbounded_shl: Shl;
    overflowing_shr, unbounded_shr: Shr;
}

/// Logarithms and roots that are there for some numbers only.
macro_rules! partial_methods {
    ($($name:ident<$bound:ident> -> $result:ty = $op:ident, of at least $least:literal;)*) => {
        impl Builder {$(
            #[doc = concat!("`a.", stringify!($name), "()`. Emits an `if` around it.")]
            #[inline(never)]
            pub fn $name<T: $bound>(&self, at: u32, a: impl IntoValue<T>) -> Value<Option<$result>> {
                let span = self.span(at);
                let a = self.pinned::<T>(span, a);
                let is_less = self.comparison(span, CompareOp::Lt, T::TYPE, a, number::<T>($least));
                let is_less = self.pin(span, ScalarType::Bool, is_less);
                let result = self.numeric(span, NumericOp::$op, T::TYPE, [a].into());
                self.unless::<$result>(at, is_less, result)
            }
        )*}
    };
}

partial_methods! {
    checked_ilog2<Int> -> u32 = Ilog2, of at least 1;
    checked_ilog10<Int> -> u32 = Ilog10, of at least 1;
    checked_isqrt<SignedInt> -> T = Isqrt, of at least 0;
}

impl Builder {
    /// `a.checked_signed_diff(b)`. May emit assignments to temporaries.
    #[inline(never)]
    pub fn checked_signed_diff<T: UnsignedInt>(
        &self,
        at: u32,
        a: impl IntoValue<T>,
        b: impl IntoValue<T>,
    ) -> Value<Option<T::Signed>> {
        let span = self.span(at);
        let (a, b) = (self.pinned::<T>(span, a), self.pinned::<T>(span, b));
        let difference = self.binary(span, BinaryOp::Sub, T::TYPE, a, b);
        let difference = self.conversion(span, T::TYPE, <T::Signed as Scalar>::TYPE, difference);
        let difference = self.pin(span, <T::Signed as Scalar>::TYPE, difference);
        let is_negative = self.is_below_zero::<T::Signed>(span, difference);
        let is_ordered = self.comparison(span, CompareOp::Ge, T::TYPE, a, b);
        let wraps = self.comparison(span, CompareOp::Eq, ScalarType::Bool, is_ordered, is_negative);
        self.option(at, wraps, difference)
    }

    /// `a.cast_signed()`
    #[inline(never)]
    pub fn cast_signed<T: UnsignedInt>(&self, at: u32, a: impl IntoValue<T>) -> Value<T::Signed> {
        self.cast_number::<T::Signed, T>(at, a)
    }

    /// `a.cast_unsigned()`
    #[inline(never)]
    pub fn cast_unsigned<T: SignedInt>(&self, at: u32, a: impl IntoValue<T>) -> Value<T::Unsigned> {
        self.cast_number::<T::Unsigned, T>(at, a)
    }

    /// `a.midpoint(b)`, of integers rounded towards zero. May emit assignments to temporaries.
    #[inline(never)]
    pub fn midpoint<T: Num>(&self, at: u32, a: impl IntoValue<T>, b: impl IntoValue<T>) -> Value<T> {
        let (span, ty) = (self.span(at), T::TYPE);
        let (a, b) = (self.pinned::<T>(span, a), self.pinned::<T>(span, b));
        if ty.is_float() {
            return Value::new(self.half_sum(span, ty, a, b));
        }
        let differing = self.binary(span, BinaryOp::Xor, ty, a, b);
        let differing = self.pin(span, ty, differing);
        let half = self.binary(span, BinaryOp::Shr, ty, differing, Operand::constant(1u32));
        let common = self.binary(span, BinaryOp::And, ty, a, b);
        let below = self.binary(span, BinaryOp::Add, ty, half, common);
        if !ty.is_signed_int() {
            return Value::new(below);
        }
        let below = self.pin(span, ty, below);
        let is_negative = self.comparison(span, CompareOp::Lt, ty, below, number::<T>(0));
        let is_negative = self.conversion(span, ScalarType::Bool, ty, is_negative);
        let up = self.binary(span, BinaryOp::And, ty, is_negative, differing);
        Value::new(self.binary(span, BinaryOp::Add, ty, below, up))
    }

    /// `a.overflowing_abs()`. May emit assignments to temporaries.
    #[inline(never)]
    pub fn overflowing_abs<T: SignedInt>(&self, at: u32, a: impl IntoValue<T>) -> Value<(T, bool)> {
        let (result, wraps) = self.unsigned_or_least::<T>(at, NumericOp::Abs, a);
        Value::new(self.whole(&[result, wraps]))
    }

    /// `a.checked_abs()`. May emit assignments to temporaries.
    #[inline(never)]
    pub fn checked_abs<T: SignedInt>(&self, at: u32, a: impl IntoValue<T>) -> Value<Option<T>> {
        let (result, wraps) = self.unsigned_or_least::<T>(at, NumericOp::Abs, a);
        self.option(at, wraps, result)
    }

    /// `a.saturating_abs()`
    #[inline(never)]
    pub fn saturating_abs<T: SignedInt>(&self, at: u32, a: impl IntoValue<T>) -> Value<T> {
        let span = self.span(at);
        let a = self.pinned::<T>(span, a);
        let negative = self.numeric(span, NumericOp::SaturatingSub, T::TYPE, [number::<T>(0), a].into());
        Value::new(self.numeric(span, NumericOp::Max, T::TYPE, [a, negative].into()))
    }

    /// `a.saturating_neg()`
    #[inline(never)]
    pub fn saturating_neg<T: SignedInt>(&self, at: u32, a: impl IntoValue<T>) -> Value<T> {
        let span = self.span(at);
        let a = self.operand::<T>(span, a);
        Value::new(self.numeric(span, NumericOp::SaturatingSub, T::TYPE, [number::<T>(0), a].into()))
    }

    /// `a.saturating_div(b)`. May emit an `if`.
    #[inline(never)]
    pub fn saturating_div<T: Int>(&self, at: u32, a: impl IntoValue<T>, b: impl IntoValue<T>) -> Value<T> {
        let span = self.span(at);
        let (a, b) = (self.pinned::<T>(span, a), self.pinned::<T>(span, b));
        let quotient = self.binary(span, BinaryOp::Div, T::TYPE, a, b);
        if !T::TYPE.is_signed_int() {
            return Value::new(quotient);
        }
        // A division by zero faults before it is asked.
        let quotient = self.pin(span, T::TYPE, quotient);
        let wraps = self.numeric(span, NumericOp::DivOverflows, T::TYPE, [a, b].into());
        Value::new(self.choose(span, T::TYPE, wraps, greatest::<T>(), quotient))
    }

    /// `a.checked_ilog(b)`. Emits an `if` around it.
    #[inline(never)]
    pub fn checked_ilog<T: Int>(&self, at: u32, a: impl IntoValue<T>, b: impl IntoValue<T>) -> Value<Option<u32>> {
        let span = self.span(at);
        let (a, b) = (self.pinned::<T>(span, a), self.pinned::<T>(span, b));
        let [is_less, has_no_base] = [(a, 1), (b, 2)]
            .map(|(value, least)| self.comparison(span, CompareOp::Lt, T::TYPE, value, number::<T>(least)));
        let is_none = self.binary(span, BinaryOp::Or, ScalarType::Bool, is_less, has_no_base);
        let is_none = self.pin(span, ScalarType::Bool, is_none);
        let result = self.numeric(span, NumericOp::Ilog, T::TYPE, [a, b].into());
        self.unless::<u32>(at, is_none, result)
    }

    /// `a.checked_next_power_of_two()`. May emit an assignment to a temporary.
    #[inline(never)]
    pub fn checked_next_power_of_two<T: UnsignedInt>(&self, at: u32, a: impl IntoValue<T>) -> Value<Option<T>> {
        let span = self.span(at);
        let a = self.operand::<T>(span, a);
        let power = self.numeric(span, NumericOp::NextPowerOfTwo, T::TYPE, [a].into());
        let power = self.pin(span, T::TYPE, power);
        let is_none = self.comparison(span, CompareOp::Eq, T::TYPE, power, number::<T>(0));
        self.option(at, is_none, power)
    }

    /// `a.checked_next_multiple_of(b)`. Emits an `if` around it.
    #[inline(never)]
    pub fn checked_next_multiple_of<T: UnsignedInt>(
        &self,
        at: u32,
        a: impl IntoValue<T>,
        b: impl IntoValue<T>,
    ) -> Value<Option<T>> {
        let span = self.span(at);
        let (a, b) = (self.pinned::<T>(span, a), self.pinned::<T>(span, b));
        let is_zero = self.comparison(span, CompareOp::Eq, T::TYPE, b, number::<T>(0));
        let is_zero = self.pin(span, ScalarType::Bool, is_zero);
        let multiple = self.numeric(span, NumericOp::NextMultipleOf, T::TYPE, [a, b].into());
        let multiple = self.choose(span, T::TYPE, is_zero, number::<T>(0), multiple);
        let multiple = self.pin(span, T::TYPE, multiple);
        // It wraps where it is less; of zero there is none.
        let wraps = self.comparison(span, CompareOp::Lt, T::TYPE, multiple, a);
        self.option(at, self.binary(span, BinaryOp::Or, ScalarType::Bool, is_zero, wraps), multiple)
    }

    /// `a.to_be()`
    #[inline(never)]
    pub fn to_be<T: Int>(&self, at: u32, a: impl IntoValue<T>) -> Value<T> {
        self.swap_bytes(at, a)
    }

    /// `a.to_le()`: the device has the lowest byte first.
    #[inline(never)]
    pub fn to_le<T: Int>(&self, at: u32, a: impl IntoValue<T>) -> Value<T> {
        Value::new(self.operand::<T>(self.span(at), a))
    }

    pub(super) fn is_below_zero<T: Int>(&self, span: Span, value: Operand) -> Operand {
        self.comparison(span, CompareOp::Lt, T::TYPE, value, number::<T>(0))
    }

    /// The operation on a number, and whether its negative wraps.
    fn unsigned_or_least<T: SignedInt>(&self, at: u32, op: NumericOp, a: impl IntoValue<T>) -> Wrapped {
        let span = self.span(at);
        let a = self.pinned::<T>(span, a);
        let [result, wraps] = [op, NumericOp::NegOverflows].map(|op| self.numeric(span, op, T::TYPE, [a].into()));
        (result, wraps)
    }

    fn shift<T: Int>(
        &self,
        at: u32,
        op: BinaryOp,
        a: impl IntoValue<T>,
        b: impl IntoValue<u32>,
    ) -> (Operand, Operand, Operand) {
        let span = self.span(at);
        let (a, b) = (self.pinned::<T>(span, a), self.pinned::<u32>(span, b));
        let beyond = self.comparison(span, CompareOp::Ge, ScalarType::U32, b, Operand::constant(T::TYPE.bits()));
        (a, self.binary(span, op, T::TYPE, a, b), beyond)
    }

    /// The `Option` of a value that is evaluated unless there is none.
    fn unless<T: Scalar>(&self, at: u32, is_none: Operand, value: Operand) -> Value<Option<T>> {
        let span = self.span(at);
        let result = self.choose(span, T::TYPE, is_none, number::<T>(0), value);
        let is_some = self.unary(span, UnaryOp::Not, ScalarType::Bool, is_none);
        Value::new(self.whole(&[is_some, result]))
    }
}

fn number<T: Scalar>(bits: u64) -> Operand {
    Operand::Leaf(Leaf::Const(Constant { ty: T::TYPE, bits }))
}

/// The least integer of a type, by its bits.
pub(super) fn least<T: Int>() -> Operand {
    number::<T>(if T::TYPE.is_signed_int() { 1 << (T::TYPE.bits() - 1) } else { 0 })
}

pub(super) fn greatest<T: Int>() -> Operand {
    let all = u64::MAX >> (64 - T::TYPE.bits());
    number::<T>(if T::TYPE.is_signed_int() { all >> 1 } else { all })
}
