//! Iterators of two, and of one again and again: `.zip(other)`, `.chain(other)`, `.cycle()`.

use super::{FromBack, Iterated, KeptItem, Lengthed, Remaining};
use crate::build::Builder;
use crate::build::arena::Operand;
use crate::ops::{Args, NumericOp};
use crate::program::{StmtKind, VarId};
use crate::scalar::ScalarType;
use crate::source::Span;

/// `.zip(other)`
#[derive(Clone, Copy, Debug)]
pub struct Both<A, B>(A, B);

impl<A: Iterated, B: Iterated> Iterated for Both<A, B> {
    type Item = (A::Item, B::Item);

    fn step(self, k: &Builder, span: Span, leave: u32) -> Self::Item {
        (self.0.step(k, span, leave), self.1.step(k, span, leave))
    }

    fn duplicate(self, k: &Builder, span: Span) -> Self {
        Self(self.0.duplicate(k, span), self.1.duplicate(k, span))
    }

    fn restore(self, k: &Builder, span: Span, from: Self) {
        self.0.restore(k, span, from.0);
        self.1.restore(k, span, from.1);
    }
}

impl<A: Lengthed, B: Lengthed> Lengthed for Both<A, B> {
    fn left(self, k: &Builder, span: Span) -> Remaining {
        let (Remaining(a), Remaining(b)) = (self.0.left(k, span), self.1.left(k, span));
        Remaining(k.numeric(span, NumericOp::Min, ScalarType::Usize, Args::Two([a, b])))
    }
}

/// `.chain(other)`
#[derive(Clone, Copy, Debug)]
pub struct Chained<A, B> {
    first: A,
    second: B,
    /// Whether the one whose turn is first has more items, from the front and from the back.
    has_first: VarId,
    has_second: VarId,
}

impl<A, B> Chained<A, B>
where
    A: Iterated,
    A::Item: KeptItem,
    B: Iterated<Item = A::Item>,
{
    /// An item of the first iterator, while it has one, else of the second.
    fn either(
        k: &Builder,
        span: Span,
        has_more: VarId,
        first: impl FnOnce() -> A::Item,
        second: impl FnOnce() -> A::Item,
    ) -> A::Item {
        let slot = A::Item::slot(k, span);
        k.open_loop(span);
        let of_first = k.block(|| {
            k.open_loop(span);
            first().put(k, span, slot);
            k.emit(span, StmtKind::Break { out: 1 });
            k.end_loop();
            k.set(span, has_more, ScalarType::Bool, Operand::constant(false));
        });
        k.emit_if(span, Operand::var(has_more), of_first, Vec::new());
        second().put(k, span, slot);
        k.emit(span, StmtKind::Break { out: 0 });
        k.end_loop();
        A::Item::get(k, span, slot)
    }
}

impl<A, B> Iterated for Chained<A, B>
where
    A: Iterated,
    A::Item: KeptItem,
    B: Iterated<Item = A::Item>,
{
    type Item = A::Item;

    fn step(self, k: &Builder, span: Span, leave: u32) -> A::Item {
        let second = || self.second.step(k, span, leave + 1);
        Self::either(k, span, self.has_first, || self.first.step(k, span, 0), second)
    }

    fn duplicate(self, k: &Builder, span: Span) -> Self {
        let flags = [self.has_first, self.has_second];
        let [has_first, has_second] = flags.map(|flag| k.state_of(span, ScalarType::Bool, Operand::var(flag)));
        let (first, second) = (self.first.duplicate(k, span), self.second.duplicate(k, span));
        Self { first, second, has_first, has_second }
    }

    fn restore(self, k: &Builder, span: Span, from: Self) {
        k.set(span, self.has_first, ScalarType::Bool, Operand::var(from.has_first));
        k.set(span, self.has_second, ScalarType::Bool, Operand::var(from.has_second));
        self.first.restore(k, span, from.first);
        self.second.restore(k, span, from.second);
    }
}

impl<A, B> FromBack for Chained<A, B>
where
    A: FromBack,
    A::Item: KeptItem,
    B: FromBack<Item = A::Item>,
{
    fn step_back(self, k: &Builder, span: Span, leave: u32) -> A::Item {
        let first = || self.first.step_back(k, span, leave + 1);
        Self::either(k, span, self.has_second, || self.second.step_back(k, span, 0), first)
    }
}

/// `.cycle()`
#[derive(Clone, Copy, Debug)]
pub struct Cycled<I> {
    inner: I,
    /// Where it begins again.
    start: I,
}

impl<I: Iterated> Iterated for Cycled<I> {
    type Item = I::Item;

    fn step(self, k: &Builder, span: Span, leave: u32) -> I::Item {
        let is_again = k.state_of(span, ScalarType::Bool, Operand::constant(false));
        k.open_loop(span);
        k.open_loop(span);
        let item = self.inner.step(k, span, 0);
        k.emit(span, StmtKind::Break { out: 1 });
        k.end_loop();
        // One without items has none at its begin, either.
        k.leave_if(span, Operand::var(is_again), leave + 1);
        k.set(span, is_again, ScalarType::Bool, Operand::constant(true));
        self.inner.restore(k, span, self.start);
        k.end_loop();
        item
    }

    fn duplicate(self, k: &Builder, span: Span) -> Self {
        Self { inner: self.inner.duplicate(k, span), start: self.start }
    }

    fn restore(self, k: &Builder, span: Span, from: Self) {
        self.inner.restore(k, span, from.inner);
    }
}

impl Builder {
    /// `a.zip(b)`
    #[inline(never)]
    pub fn both<A: Iterated, B: Iterated>(&self, _at: u32, a: A, b: B) -> Both<A, B> {
        Both(a, b)
    }

    /// `a.chain(b)`
    #[inline(never)]
    pub fn chained<A, B>(&self, at: u32, first: A, second: B) -> Chained<A, B>
    where
        A: Iterated,
        A::Item: KeptItem,
        B: Iterated<Item = A::Item>,
    {
        let flag = || self.state_of(self.span(at), ScalarType::Bool, Operand::constant(true));
        Chained { first, second, has_first: flag(), has_second: flag() }
    }

    /// `.cycle()`
    #[inline(never)]
    pub fn cycled<I: Iterated>(&self, at: u32, inner: I) -> Cycled<I> {
        Cycled { inner, start: inner.duplicate(self, self.span(at)) }
    }
}
