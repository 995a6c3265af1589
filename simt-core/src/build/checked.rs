//! Numeric methods that tell whether they have a result: `overflowing_add` gives a pair, `checked_add` an `Option`.
//!
//! A pair or an `Option` is two operands, of which each reads what it needs; so the method's own operands are evaluated
//! first, into temporaries unless they keep their value anyway. The value of an `Option` without one is anything, because
//! it cannot be asked for.

use super::arena::{Leaf, Operand};
use super::{Builder, IntoValue, Value};
use crate::ops::{BinaryOp, CompareOp, NumericOp, UnaryOp};
use crate::ops::{Float, Int};
use crate::program::Variable;
use crate::scalar::{Constant, Scalar, ScalarType};
use crate::source::Span;

/// Each row: the method that gives a pair, the method that gives an `Option`, the operation, and the one that tells whether
/// it wraps.
macro_rules! overflow_methods {
    ($($overflowing:ident, $checked:ident: $op:ident, $overflows:ident;)*) => {
        impl Builder {$(
            #[doc = concat!("`a.", stringify!($overflowing), "(b)`. May emit assignments to temporaries.")]
            #[inline(never)]
            pub fn $overflowing<T: Int>(
                &self,
                at: u32,
                a: impl IntoValue<T>,
                b: impl IntoValue<T>,
            ) -> Value<(T, bool)> {
                let (result, overflows) = self.overflowing(at, BinaryOp::$op, NumericOp::$overflows, a, b);
                Value::new(self.whole(&[result, overflows]))
            }

            #[doc = concat!("`a.", stringify!($checked), "(b)`. May emit assignments to temporaries.")]
            #[inline(never)]
            pub fn $checked<T: Int>(&self, at: u32, a: impl IntoValue<T>, b: impl IntoValue<T>) -> Value<Option<T>> {
                let (result, overflows) = self.overflowing(at, BinaryOp::$op, NumericOp::$overflows, a, b);
                self.option(at, overflows, result)
            }
        )*}
    };
}

overflow_methods! {
    overflowing_add, checked_add: Add, AddOverflows;
    overflowing_sub, checked_sub: Sub, SubOverflows;
    overflowing_mul, checked_mul: Mul, MulOverflows;
}

impl Builder {
    /// `a.overflowing_neg()`. May emit assignments to temporaries.
    #[inline(never)]
    pub fn overflowing_neg<T: Int>(&self, at: u32, a: impl IntoValue<T>) -> Value<(T, bool)> {
        let (negative, overflows) = self.negative(at, a);
        Value::new(self.whole(&[negative, overflows]))
    }

    /// `a.checked_neg()`. May emit assignments to temporaries.
    #[inline(never)]
    pub fn checked_neg<T: Int>(&self, at: u32, a: impl IntoValue<T>) -> Value<Option<T>> {
        let (negative, overflows) = self.negative(at, a);
        self.option(at, overflows, negative)
    }

    /// `a.overflowing_pow(b)`. May emit assignments to temporaries.
    #[inline(never)]
    pub fn overflowing_pow<T: Int>(&self, at: u32, a: impl IntoValue<T>, b: impl IntoValue<u32>) -> Value<(T, bool)> {
        let (power, overflows) = self.power(at, a, b);
        Value::new(self.whole(&[power, overflows]))
    }

    /// `a.checked_pow(b)`. May emit assignments to temporaries.
    #[inline(never)]
    pub fn checked_pow<T: Int>(&self, at: u32, a: impl IntoValue<T>, b: impl IntoValue<u32>) -> Value<Option<T>> {
        let (power, overflows) = self.power(at, a, b);
        self.option(at, overflows, power)
    }

    /// `a.checked_div(b)`. Emits an `if` around the division.
    #[inline(never)]
    pub fn checked_div<T: Int>(&self, at: u32, a: impl IntoValue<T>, b: impl IntoValue<T>) -> Value<Option<T>> {
        self.checked_division(at, BinaryOp::Div, a, b)
    }

    /// `a.checked_rem(b)`. Emits an `if` around the division.
    #[inline(never)]
    pub fn checked_rem<T: Int>(&self, at: u32, a: impl IntoValue<T>, b: impl IntoValue<T>) -> Value<Option<T>> {
        self.checked_division(at, BinaryOp::Rem, a, b)
    }

    /// `a.checked_shl(b)`. May emit assignments to temporaries.
    #[inline(never)]
    pub fn checked_shl<T: Int>(&self, at: u32, a: impl IntoValue<T>, b: impl IntoValue<u32>) -> Value<Option<T>> {
        self.checked_shift(at, BinaryOp::Shl, a, b)
    }

    /// `a.checked_shr(b)`. May emit assignments to temporaries.
    #[inline(never)]
    pub fn checked_shr<T: Int>(&self, at: u32, a: impl IntoValue<T>, b: impl IntoValue<u32>) -> Value<Option<T>> {
        self.checked_shift(at, BinaryOp::Shr, a, b)
    }

    /// `a.sin_cos()`. May emit an assignment to a temporary.
    #[inline(never)]
    pub fn sin_cos<T: Float>(&self, at: u32, a: impl IntoValue<T>) -> Value<(T, T)> {
        let span = self.span(at);
        let angle = self.pinned::<T>(span, a);
        let [sin, cos] = [NumericOp::Sin, NumericOp::Cos].map(|op| self.numeric(span, op, T::TYPE, [angle].into()));
        Value::new(self.whole(&[sin, cos]))
    }

    pub(super) fn pinned<T: Scalar>(&self, span: Span, value: impl IntoValue<T>) -> Operand {
        let operand = self.operand(span, value);
        self.pin(span, T::TYPE, operand)
    }

    fn overflowing<T: Int>(
        &self,
        at: u32,
        op: BinaryOp,
        overflows: NumericOp,
        a: impl IntoValue<T>,
        b: impl IntoValue<T>,
    ) -> (Operand, Operand) {
        let span = self.span(at);
        let (a, b) = (self.pinned(span, a), self.pinned(span, b));
        (self.binary(span, op, T::TYPE, a, b), self.numeric(span, overflows, T::TYPE, [a, b].into()))
    }

    fn negative<T: Int>(&self, at: u32, a: impl IntoValue<T>) -> (Operand, Operand) {
        let span = self.span(at);
        let a = self.pinned(span, a);
        let negative = self.wrapping_neg::<T>(at, Value::new(a)).operand;
        (negative, self.numeric(span, NumericOp::NegOverflows, T::TYPE, [a].into()))
    }

    fn power<T: Int>(&self, at: u32, a: impl IntoValue<T>, b: impl IntoValue<u32>) -> (Operand, Operand) {
        let span = self.span(at);
        let args = [self.pinned(span, a), self.pinned::<u32>(span, b)];
        let power = self.numeric(span, NumericOp::Pow, T::TYPE, args.into());
        (power, self.numeric(span, NumericOp::PowOverflows, T::TYPE, args.into()))
    }

    fn checked_division<T: Int>(
        &self,
        at: u32,
        op: BinaryOp,
        a: impl IntoValue<T>,
        b: impl IntoValue<T>,
    ) -> Value<Option<T>> {
        let span = self.span(at);
        let (a, b) = (self.pinned(span, a), self.pinned(span, b));
        let overflows = self.numeric(span, NumericOp::DivOverflows, T::TYPE, [a, b].into());
        let overflows = self.pin(span, ScalarType::Bool, overflows);
        let quotient = self.binary(span, op, T::TYPE, a, b);
        let zero = Operand::Leaf(Leaf::Const(Constant { ty: T::TYPE, bits: 0 }));
        let result = self.choose(span, T::TYPE, overflows, zero, quotient);
        self.option(at, overflows, result)
    }

    fn checked_shift<T: Int>(
        &self,
        at: u32,
        op: BinaryOp,
        a: impl IntoValue<T>,
        b: impl IntoValue<u32>,
    ) -> Value<Option<T>> {
        let span = self.span(at);
        let (a, b) = (self.pinned::<T>(span, a), self.pinned::<u32>(span, b));
        let width = Operand::constant(T::TYPE.bits());
        let beyond = self.comparison(span, CompareOp::Ge, ScalarType::U32, b, width);
        self.option(at, beyond, self.binary(span, op, T::TYPE, a, b))
    }

    /// `if cond { then } else { otherwise }`
    pub(super) fn choose(
        &self,
        span: Span,
        ty: ScalarType,
        cond: Operand,
        then: Operand,
        otherwise: Operand,
    ) -> Operand {
        if let Some(cond) = cond.as_constant() {
            return if cond.bits != 0 { then } else { otherwise };
        }
        let var = self.variable(Variable { name: None, ty, mutable: true }, true);
        if self.is_reference(then) || self.is_reference(otherwise) {
            self.declare_base(var);
        }
        let then = self.block(|| self.set(span, var, ty, then));
        let otherwise = self.block(|| self.set(span, var, ty, otherwise));
        if !self.is_base_variable(var) {
            self.emit_if(span, cond, then, otherwise);
        }
        Operand::var(var)
    }

    /// The `Option` of a value that there is unless something overflows.
    pub(super) fn option<T: Scalar>(&self, at: u32, overflows: Operand, value: Operand) -> Value<Option<T>> {
        let is_some = self.unary(self.span(at), UnaryOp::Not, ScalarType::Bool, overflows);
        Value::new(self.whole(&[is_some, value]))
    }
}
