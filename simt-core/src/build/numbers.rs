//! Ranges whose numbers are items: `x.iter().zip(1..)`, `(a..b).enumerate()`.

use super::arena::{Leaf, Operand};
use super::{Builder, IntoValue, Items, Let, Sequence};
use crate::ops::{Args, BinaryOp, CompareOp, Int, NumericOp};
use crate::scalar::{Constant, ScalarType};
use crate::source::Span;

/// The numbers from one on.
#[derive(Debug)]
pub struct NumberItems<T>(Let<T>);

impl<T: Int> Items for NumberItems<T> {
    type Item = Let<T>;

    fn item(self, k: &Builder, span: Span, position: Let<usize>) -> Let<T> {
        let way = k.conversion(span, ScalarType::Usize, T::TYPE, position.operand(k));
        let number = k.binary(span, BinaryOp::Add, T::TYPE, self.0.operand(k), way);
        Let::new(k, k.pin(span, T::TYPE, number))
    }
}

impl Builder {
    /// `from..`, of which no slice is as long.
    #[inline(never)]
    pub fn numbers_from<T: Int>(&self, at: u32, from: impl IntoValue<T>) -> Sequence<NumberItems<T>> {
        let length = self.position(self.span(at), Operand::constant(u32::MAX as usize));
        Sequence { length, items: NumberItems(self.keep(at, from)) }
    }

    /// `from..to`, or `from..=to` if it is closed.
    #[inline(never)]
    pub fn numbers<T: Int>(
        &self,
        at: u32,
        from: impl IntoValue<T>,
        to: impl IntoValue<T>,
        closed: bool,
    ) -> Sequence<NumberItems<T>> {
        let (span, unsigned) = (self.span(at), T::TYPE.unsigned());
        let (from, to) = (self.keep::<T>(at, from), self.keep::<T>(at, to).operand(self));
        let op = if closed { CompareOp::Le } else { CompareOp::Lt };
        let has_some = self.comparison(span, op, T::TYPE, from.operand(self), to);
        let distance = self.binary(span, BinaryOp::Sub, T::TYPE, to, from.operand(self));
        let mut length = self.conversion(span, T::TYPE, unsigned, distance);
        if unsigned.bits() == 64 {
            let most = Operand::Leaf(Leaf::Const(Constant { ty: unsigned, bits: u64::from(u32::MAX) }));
            length = self.numeric(span, NumericOp::Min, unsigned, Args::from([length, most]));
        }
        let mut length = self.conversion(span, unsigned, ScalarType::Usize, length);
        if closed {
            let args = Args::from([length, Operand::constant(1_usize)]);
            length = self.numeric(span, NumericOp::SaturatingAdd, ScalarType::Usize, args);
        }
        let has_some = self.conversion(span, ScalarType::Bool, ScalarType::Usize, has_some);
        let length = self.binary(span, BinaryOp::Mul, ScalarType::Usize, length, has_some);
        Sequence { length: self.position(span, length), items: NumberItems(from) }
    }
}
