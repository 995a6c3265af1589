//! Comparisons of two iterators, item by item: `a.eq(b)`, `a.cmp(b)`.

use super::{Iterated, OwnedItem};
use crate::build::arena::Operand;
use crate::build::{Builder, Composite, Let, Value};
use crate::ops::{BinaryOp, CompareOp};
use crate::program::{StmtKind, VarId};
use crate::scalar::{Scalar, ScalarType};
use crate::source::Span;
use std::cmp::Ordering;

impl Builder {
    /// `a.eq(b)`
    #[inline(never)]
    pub fn equal_items<A, B, T>(&self, at: u32, a: A, b: B) -> Value<bool>
    where
        T: Composite + PartialEq,
        A: Iterated<Item: OwnedItem<Owned = T>>,
        B: Iterated<Item: OwnedItem<Owned = T>>,
    {
        let span = self.span(at);
        let result = self.pairwise(
            span,
            true,
            a,
            b,
            |result, left, right| {
                let is_other = self.unequal::<T>(span, left.operand(self), right.operand(self));
                self.decide_if(span, is_other, result, Operand::constant(false));
            },
            |a, b| self.comparison(span, CompareOp::Eq, ScalarType::Bool, a, b),
        );
        Value::new(Operand::var(result))
    }

    /// `a.ne(b)`
    #[inline(never)]
    pub fn unequal_items<A, B, T>(&self, at: u32, a: A, b: B) -> Value<bool>
    where
        T: Composite + PartialEq,
        A: Iterated<Item: OwnedItem<Owned = T>>,
        B: Iterated<Item: OwnedItem<Owned = T>>,
    {
        let equal = self.equal_items(at, a, b);
        self.not(at, equal)
    }

    /// `a.cmp(b)`
    #[inline(never)]
    pub fn order_of_items<A, B, T>(&self, at: u32, a: A, b: B) -> Value<Ordering>
    where
        T: Composite + Ord,
        A: Iterated<Item: OwnedItem<Owned = T>>,
        B: Iterated<Item: OwnedItem<Owned = T>>,
    {
        let (span, ty) = (self.span(at), ScalarType::I8);
        let equal = || Operand::constant(Ordering::Equal as i8);
        let result = self.pairwise(
            span,
            Ordering::Equal as i8,
            a,
            b,
            |result, left, right| {
                let order = self.order_of::<T>(span, left.operand(self), right.operand(self));
                let order = self.pin(span, ty, order);
                let differ = self.comparison(span, CompareOp::Ne, ty, order, equal());
                self.decide_if(span, differ, result, order);
            },
            |a, b| {
                let [a, b] = [a, b].map(|is_some| self.conversion(span, ScalarType::Bool, ty, is_some));
                self.binary(span, BinaryOp::Sub, ty, a, b)
            },
        );
        Value::new(Operand::var(result))
    }

    /// Asks both for their items until one has no more, or `pair` leaves the loop; `ends` says what that is which one has more.
    fn pairwise<R: Scalar, A: Iterated, B: Iterated>(
        &self,
        span: Span,
        start: R,
        a: A,
        b: B,
        pair: impl FnOnce(VarId, Let<<A::Item as OwnedItem>::Owned>, Let<<B::Item as OwnedItem>::Owned>),
        ends: impl FnOnce(Operand, Operand) -> Operand,
    ) -> VarId
    where
        A::Item: OwnedItem,
        B::Item: OwnedItem,
    {
        let result = self.state_of(span, R::TYPE, Operand::constant(start));
        self.open_loop(span);
        let left = self.item_or_none(span, |span| a.step(self, span, 0).owned(self, span));
        let right = self.item_or_none(span, |span| b.step(self, span, 0).owned(self, span));
        let [has_left, has_right] = [self.is_present(left).operand, self.is_present(right).operand];
        let both = self.binary(span, BinaryOp::And, ScalarType::Bool, has_left, has_right);
        let is_end = self.not_of(span, both);
        let end = self.block(|| {
            self.set(span, result, R::TYPE, ends(has_left, has_right));
            self.emit(span, StmtKind::Break { out: 0 });
        });
        self.emit_if(span, is_end, end, Vec::new());
        pair(result, self.present_value(left), self.present_value(right));
        self.end_loop();
        result
    }

    /// `if cond { result = value; break; }`
    pub(in crate::build) fn decide_if(&self, span: Span, cond: Operand, result: VarId, value: Operand) {
        let decided = self.block(|| {
            let ty = self.state.borrow().program.variable(result).ty;
            self.set(span, result, ty, value);
            self.emit(span, StmtKind::Break { out: 0 });
        });
        self.emit_if(span, cond, decided, Vec::new());
    }
}
