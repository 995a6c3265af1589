//! Numeric methods that are made of others: sums and products with carries, of numbers longer than a type.

use super::arena::Operand;
use super::{Builder, IntoValue, Value};
use crate::ops::{BinaryOp, NumericOp, UnsignedInt};
use crate::scalar::ScalarType;

impl Builder {
    /// `a.carrying_add(b, carry)`. May emit assignments to temporaries.
    #[inline(never)]
    pub fn carrying_add<T: UnsignedInt>(
        &self,
        at: u32,
        a: impl IntoValue<T>,
        b: impl IntoValue<T>,
        carry: impl IntoValue<bool>,
    ) -> Value<(T, bool)> {
        self.with_carry::<T>(at, (BinaryOp::Add, NumericOp::AddOverflows), (a, b), carry)
    }

    /// `a.borrowing_sub(b, borrow)`. May emit assignments to temporaries.
    #[inline(never)]
    pub fn borrowing_sub<T: UnsignedInt>(
        &self,
        at: u32,
        a: impl IntoValue<T>,
        b: impl IntoValue<T>,
        borrow: impl IntoValue<bool>,
    ) -> Value<(T, bool)> {
        self.with_carry::<T>(at, (BinaryOp::Sub, NumericOp::SubOverflows), (a, b), borrow)
    }

    /// `a.carrying_mul(b, carry)`: the lower half, and the upper one. May emit assignments to temporaries.
    #[inline(never)]
    pub fn carrying_mul<T: UnsignedInt>(
        &self,
        at: u32,
        a: impl IntoValue<T>,
        b: impl IntoValue<T>,
        carry: impl IntoValue<T>,
    ) -> Value<(T, T)> {
        let halves = self.product::<T>(at, a, b, carry);
        Value::new(self.whole(&halves))
    }

    /// `a.carrying_mul_add(b, carry, add)`: the lower half, and the upper one. May emit assignments to temporaries.
    #[inline(never)]
    pub fn carrying_mul_add<T: UnsignedInt>(
        &self,
        at: u32,
        a: impl IntoValue<T>,
        b: impl IntoValue<T>,
        carry: impl IntoValue<T>,
        add: impl IntoValue<T>,
    ) -> Value<(T, T)> {
        let (span, ty) = (self.span(at), T::TYPE);
        let halves = self.product::<T>(at, a, b, carry);
        let add = self.pinned::<T>(span, add);
        let [low, high] = halves.map(|half| self.pin(span, ty, half));
        let wraps = self.numeric(span, NumericOp::AddOverflows, ty, [low, add].into());
        let wraps = self.conversion(span, ScalarType::Bool, ty, wraps);
        // The greatest product leaves room for two carries.
        let high = self.binary(span, BinaryOp::Add, ty, high, wraps);
        Value::new(self.whole(&[self.binary(span, BinaryOp::Add, ty, low, add), high]))
    }

    fn with_carry<T: UnsignedInt>(
        &self,
        at: u32,
        (op, overflows): (BinaryOp, NumericOp),
        (a, b): (impl IntoValue<T>, impl IntoValue<T>),
        carry: impl IntoValue<bool>,
    ) -> Value<(T, bool)> {
        let (span, ty) = (self.span(at), T::TYPE);
        let (a, b) = (self.pinned::<T>(span, a), self.pinned::<T>(span, b));
        let carry = self.operand::<bool>(span, carry);
        let carry = self.conversion(span, ScalarType::Bool, ty, carry);
        let carry = self.pin(span, ty, carry);
        let first = self.binary(span, op, ty, a, b);
        let first = self.pin(span, ty, first);
        let wraps = [(a, b), (first, carry)].map(|(a, b)| self.numeric(span, overflows, ty, [a, b].into()));
        let wraps = self.binary(span, BinaryOp::Or, ScalarType::Bool, wraps[0], wraps[1]);
        Value::new(self.whole(&[self.binary(span, op, ty, first, carry), wraps]))
    }

    /// The halves of `a * b + carry`.
    fn product<T: UnsignedInt>(
        &self,
        at: u32,
        a: impl IntoValue<T>,
        b: impl IntoValue<T>,
        carry: impl IntoValue<T>,
    ) -> [Operand; 2] {
        let (span, ty) = (self.span(at), T::TYPE);
        let factors = (self.pinned::<T>(span, a), self.pinned::<T>(span, b));
        let carry = self.pinned::<T>(span, carry);
        let low = self.binary(span, BinaryOp::Mul, ty, factors.0, factors.1);
        let low = self.binary(span, BinaryOp::Add, ty, low, carry);
        [low, self.numeric(span, NumericOp::CarryingMulHigh, ty, [factors.0, factors.1, carry].into())]
    }
}
