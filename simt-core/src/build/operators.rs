//! Operators that compute: arithmetic, bits, shifts, comparisons, casts, and the builtin numbers.

use super::arena::{Leaf, Operand};
use super::{Builder, Castable, Composite, IntoIndex, IntoValue, Value, WriteSlice};
use crate::ops::{BinaryOp, CompareOp, NumericOp, Overflow, UnaryOp};
use crate::ops::{Bits, Int, Num, Signed};
use crate::program::Builtin;
use crate::scalar::{Scalar, ScalarType};
use crate::source::Span;

/// Each row has the operator's method, its compound assignment to an element, its operation and its types.
///
/// The types of the operands are given once more by the caller, for rustc's sake: where it explains a mistake by showing
/// the bound, it shows the table.
macro_rules! binary_methods {
    (operands: $operand:ty, index: $index:ty, slice: $slice:ty;
     $($name:ident, $name_at:ident = $op:ident, $bound:path, $text:literal;)*) => {
        impl Builder {$(
            #[doc = concat!("`a ", $text, " b`")]
            #[inline(never)]
            pub fn $name<T: $bound>(&self, at: u32, a: $operand, b: $operand) -> Value<T> {
                let span = self.span(at);
                let (a, b) = (self.operand(span, a), self.operand(span, b));
                Value::new(self.operator(span, BinaryOp::$op, T::TYPE, a, b))
            }

            #[doc = concat!("`slice[index] ", $text, "= value;`")]
            #[inline(never)]
            pub fn $name_at<T: $bound>(
                &self,
                at: u32,
                slice: $slice,
                value: $operand,
                index: $index,
            ) {
                let span = self.span(at);
                let value = self.operand(span, value);
                self.update(span, slice, index, |element| self.operator(span, BinaryOp::$op, T::TYPE, element, value));
            }
        )*}
    };
}

binary_methods! {
    operands: impl IntoValue<T>, index: impl IntoIndex, slice: impl WriteSlice<T>;
    add, add_at = Add, Num, "+";
    sub, sub_at = Sub, Num, "-";
    mul, mul_at = Mul, Num, "*";
    div, div_at = Div, Num, "/";
    rem, rem_at = Rem, Num, "%";
    bit_and, bit_and_at = And, Bits, "&";
    bit_or, bit_or_at = Or, Bits, "|";
    bit_xor, bit_xor_at = Xor, Bits, "^";
}

/// As `binary_methods`; the count may be an integer of any type.
macro_rules! shift_methods {
    (operand: $operand:ty, count: $count:ty, index: $index:ty, slice: $slice:ty;
     $($name:ident, $name_at:ident = $op:ident, $text:literal;)*) => {
        impl Builder {$(
            #[doc = concat!("`a ", $text, " b`, by the low bits of `b`")]
            #[inline(never)]
            pub fn $name<T: Int, S: Int>(&self, at: u32, a: $operand, b: $count) -> Value<T> {
                let span = self.span(at);
                let a = self.operand(span, a);
                let count = self.count(span, b);
                Value::new(self.operator(span, BinaryOp::$op, T::TYPE, a, count))
            }

            #[doc = concat!("`slice[index] ", $text, "= value;`")]
            #[inline(never)]
            pub fn $name_at<T: Int, S: Int>(
                &self,
                at: u32,
                slice: $slice,
                value: $count,
                index: $index,
            ) {
                let span = self.span(at);
                let count = self.count(span, value);
                self.update(span, slice, index, |element| self.operator(span, BinaryOp::$op, T::TYPE, element, count));
            }
        )*}
    };
}

shift_methods! {
    operand: impl IntoValue<T>, count: impl IntoValue<S>, index: impl IntoIndex, slice: impl WriteSlice<T>;
    shl, shl_at = Shl, "<<";
    shr, shr_at = Shr, ">>";
}

macro_rules! compare_methods {
    (operands: $operand:ty; $($name:ident = $op:ident, $text:literal;)*) => {
        impl Builder {$(
            #[doc = concat!("`a ", $text, " b`")]
            #[inline(never)]
            pub fn $name<T: Scalar>(&self, at: u32, a: $operand, b: $operand) -> Value<bool> {
                let span = self.span(at);
                let (a, b) = (self.operand(span, a), self.operand(span, b));
                Value::new(self.comparison(span, CompareOp::$op, T::TYPE, a, b))
            }
        )*}
    };
}

compare_methods! {
    operands: impl IntoValue<T>;
    eq = Eq, "==";
    ne = Ne, "!=";
    lt = Lt, "<";
    le = Le, "<=";
    gt = Gt, ">";
    ge = Ge, ">=";
}

impl Builder {
    /// `(from..to).contains(&value)`, and `(from..=to)` if it is inclusive. May emit an assignment to a temporary.
    #[inline(never)]
    pub fn range_contains<T: Scalar>(
        &self,
        at: u32,
        inclusive: bool,
        from: impl IntoValue<T>,
        to: impl IntoValue<T>,
        value: impl IntoValue<T>,
    ) -> Value<bool> {
        let span = self.span(at);
        let (from, to, value) = (self.operand(span, from), self.operand(span, to), self.operand(span, value));
        let value = self.pin(span, T::TYPE, value);
        let below = if inclusive { CompareOp::Le } else { CompareOp::Lt };
        let above_from = self.comparison(span, CompareOp::Le, T::TYPE, from, value);
        let below_to = self.comparison(span, below, T::TYPE, value, to);
        Value::new(self.binary(span, BinaryOp::And, ScalarType::Bool, above_from, below_to))
    }

    /// `-a`
    #[inline(never)]
    pub fn neg<T: Signed>(&self, at: u32, a: impl IntoValue<T>) -> Value<T> {
        let span = self.span(at);
        let a = self.operand(span, a);
        if self.overflow == Overflow::Fault && T::TYPE.is_int() {
            return Value::new(self.numeric(span, NumericOp::StrictNeg, T::TYPE, [a].into()));
        }
        Value::new(self.unary(span, UnaryOp::Neg, T::TYPE, a))
    }

    /// `!a`
    #[inline(never)]
    pub fn not<T: Bits>(&self, at: u32, a: impl IntoValue<T>) -> Value<T> {
        let span = self.span(at);
        let a = self.operand(span, a);
        Value::new(self.unary(span, UnaryOp::Not, T::TYPE, a))
    }

    /// `a as U`
    #[inline(never)]
    pub fn cast<U: Scalar, T: Castable<U>>(&self, at: u32, a: impl IntoValue<T>) -> Value<U> {
        let span = self.span(at);
        let a = self.operand(span, a);
        Value::new(self.conversion(span, T::FROM, U::TYPE, a))
    }

    /// `a as U`, where `U` is a type parameter: each number casts to each.
    #[inline(never)]
    pub fn cast_number<U: Num, T: Num>(&self, at: u32, a: impl IntoValue<T>) -> Value<U> {
        let span = self.span(at);
        let a = self.operand(span, a);
        Value::new(self.conversion(span, T::TYPE, U::TYPE, a))
    }

    /// A number that says which thread this is.
    pub fn builtin(&self, _at: u32, builtin: Builtin) -> Value<usize> {
        Value::new(Operand::Leaf(Leaf::Builtin(builtin)))
    }

    /// `global_id_2d()`
    pub fn global_id_2d(&self, at: u32) -> Value<(usize, usize)> {
        let span = self.span(at);
        Value::new(self.whole(&[0, 1].map(|axis| self.along(span, axis))))
    }

    /// `global_id_3d()`
    pub fn global_id_3d(&self, at: u32) -> Value<(usize, usize, usize)> {
        let span = self.span(at);
        Value::new(self.whole(&[0, 1, 2].map(|axis| self.along(span, axis))))
    }

    /// `global_id_3d().x`, and so on
    pub fn global_id_along(&self, at: u32, axis: usize) -> Value<usize> {
        Value::new(self.along(self.span(at), axis))
    }

    /// The number of the thread along an axis. It is below 2^32 as a grid's threads are, so that nothing overflows.
    fn along(&self, span: Span, axis: usize) -> Operand {
        let (block, threads, thread) = [
            (Builtin::BlockIdxX, Builtin::BlockDimX, Builtin::ThreadIdxX),
            (Builtin::BlockIdxY, Builtin::BlockDimY, Builtin::ThreadIdxY),
            (Builtin::BlockIdxZ, Builtin::BlockDimZ, Builtin::ThreadIdxZ),
        ][axis];
        let [block, threads, thread] = [block, threads, thread].map(|builtin| Operand::Leaf(Leaf::Builtin(builtin)));
        let before = self.binary(span, BinaryOp::Mul, usize::TYPE, block, threads);
        self.binary(span, BinaryOp::Add, usize::TYPE, before, thread)
    }

    /// `thread_idx()` and the like, of a type that consists of as many numbers.
    #[inline(never)]
    pub fn builtins<T: Composite, const N: usize>(&self, _at: u32, builtins: [Builtin; N]) -> Value<T> {
        Value::new(self.whole(&builtins.map(|builtin| Operand::Leaf(Leaf::Builtin(builtin)))))
    }

    /// A shift's count as the `u32` that the program wants. A cast keeps the low bits, which are all that count where
    /// arithmetic wraps; where it faults, a count that is no `u32` becomes the largest one.
    fn count<S: Int>(&self, span: Span, count: impl IntoValue<S>) -> Operand {
        let mut count = self.operand(span, count);
        let mut ty = S::TYPE;
        if self.overflow == Overflow::Fault && ty.bits() == 64 {
            // As unsigned, a negative count is a large one.
            count = self.conversion(span, ty, ScalarType::U64, count);
            ty = ScalarType::U64;
            let largest = Operand::constant(u64::from(u32::MAX));
            count = self.numeric(span, NumericOp::Min, ty, [count, largest].into());
        }
        self.conversion(span, ty, ScalarType::U32, count)
    }
}
