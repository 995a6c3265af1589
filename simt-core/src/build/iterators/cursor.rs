//! Where a sequence is: two positions, between which are the items that are left.

use super::{FromBack, Iterated, Lengthed, Remaining};
use crate::build::arena::Operand;
use crate::build::pieces::Pieces;
use crate::build::{Builder, Items, Let, Sequence};
use crate::ops::{BinaryOp, CompareOp};
use crate::program::VarId;
use crate::scalar::ScalarType;
use crate::source::Span;

/// The items of a sequence that are left.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<I> {
    items: I,
    /// The position of the next item.
    front: VarId,
    /// That behind the last.
    back: VarId,
}

impl<I> Cursor<I> {
    fn positions(&self) -> [Operand; 2] {
        [self.front, self.back].map(Operand::var)
    }

    fn leave_at_end(&self, k: &Builder, span: Span, leave: u32) {
        let [front, back] = self.positions();
        let is_empty = k.comparison(span, CompareOp::Ge, ScalarType::Usize, front, back);
        k.leave_if(span, is_empty, leave);
    }

    fn at(items: I, k: &Builder, span: Span, [front, back]: [Operand; 2]) -> Self {
        let [front, back] = [front, back].map(|value| k.state_of(span, ScalarType::Usize, value));
        Self { items, front, back }
    }
}

impl<S> Cursor<Pieces<S>> {
    /// What `chunks_exact` leaves, whichever items are left.
    pub(super) fn remainder(self, k: &Builder, span: Span) -> S {
        self.items.remainder(k, span)
    }
}

impl<I: Items> Iterated for Cursor<I>
where
    I::Item: Copy,
{
    type Item = I::Item;

    fn step(self, k: &Builder, span: Span, leave: u32) -> I::Item {
        self.leave_at_end(k, span, leave);
        let position = k.position(span, Operand::var(self.front));
        k.moved_by(span, self.front, BinaryOp::Add, Operand::constant(1_usize));
        self.items.item(k, span, position)
    }

    fn duplicate(self, k: &Builder, span: Span) -> Self {
        Self::at(self.items, k, span, self.positions())
    }

    fn restore(self, k: &Builder, span: Span, from: Self) {
        for (var, value) in [self.front, self.back].into_iter().zip(from.positions()) {
            k.set(span, var, ScalarType::Usize, value);
        }
    }
}

impl<I: Items> FromBack for Cursor<I>
where
    I::Item: Copy,
{
    fn step_back(self, k: &Builder, span: Span, leave: u32) -> I::Item {
        self.leave_at_end(k, span, leave);
        k.moved_by(span, self.back, BinaryOp::Sub, Operand::constant(1_usize));
        let position = k.position(span, Operand::var(self.back));
        self.items.item(k, span, position)
    }
}

impl<I: Items> Lengthed for Cursor<I>
where
    I::Item: Copy,
{
    fn left(self, k: &Builder, span: Span) -> Remaining {
        let [front, back] = self.positions();
        Remaining(k.binary(span, BinaryOp::Sub, ScalarType::Usize, back, front))
    }
}

/// What iterators are made of: sequences, and iterators themselves.
pub trait Begun {
    /// The iterator.
    type Iterator: Iterated;
    /// Makes it.
    fn begun(self, k: &Builder, span: Span) -> Self::Iterator;
}

impl<I: Items> Begun for Sequence<I>
where
    I::Item: Copy,
{
    type Iterator = Cursor<I>;

    fn begun(self, k: &Builder, span: Span) -> Cursor<I> {
        Cursor::at(self.items, k, span, [Operand::constant(0_usize), Let::operand(self.length, k)])
    }
}

impl<I: Iterated> Begun for I {
    type Iterator = Self;

    fn begun(self, _: &Builder, _: Span) -> Self {
        self
    }
}

impl Builder {
    /// The iterator that a `for` would go over.
    #[inline(never)]
    pub fn begun<B: Begun>(&self, at: u32, sequence: B) -> B::Iterator {
        sequence.begun(self, self.span(at))
    }
}
