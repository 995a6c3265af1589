//! `.peekable()`: an iterator that may have asked for its next item already.

use super::{Iterated, KeptItem, OwnedItem};
use crate::build::arena::Operand;
use crate::build::{Builder, Let};
use crate::program::{StmtKind, VarId};
use crate::scalar::ScalarType;
use crate::source::Span;

/// `.peekable()`
#[derive(Debug)]
pub struct Peeked<I: Iterated<Item: KeptItem>> {
    inner: I,
    /// Whether it has asked, and whether there was an item.
    has_asked: VarId,
    is_some: VarId,
    slot: <I::Item as KeptItem>::Slot,
}

// Not derived: that would ask it of the item.
impl<I: Iterated<Item: KeptItem>> Clone for Peeked<I> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<I: Iterated<Item: KeptItem>> Copy for Peeked<I> {}

impl<I: Iterated<Item: KeptItem>> Peeked<I> {
    /// Asks for the next item, if it has not.
    fn ask(self, k: &Builder, span: Span) {
        let ask = k.block(|| {
            self.note(k, span, self.is_some, false);
            k.open_loop(span);
            self.inner.step(k, span, 0).put(k, span, self.slot);
            self.note(k, span, self.is_some, true);
            k.emit(span, StmtKind::Break { out: 0 });
            k.end_loop();
            self.note(k, span, self.has_asked, true);
        });
        let has_not = k.not_of(span, Operand::var(self.has_asked));
        k.emit_if(span, has_not, ask, Vec::new());
    }

    fn note(self, k: &Builder, span: Span, flag: VarId, value: bool) {
        k.set(span, flag, ScalarType::Bool, Operand::constant(value));
    }

    /// The item that it has asked for.
    fn asked(self, k: &Builder, span: Span, leave: u32) -> I::Item {
        let is_none = k.not_of(span, Operand::var(self.is_some));
        k.leave_if(span, is_none, leave);
        I::Item::get(k, span, self.slot)
    }
}

impl<I: Iterated<Item: KeptItem>> Iterated for Peeked<I> {
    type Item = I::Item;

    fn step(self, k: &Builder, span: Span, leave: u32) -> I::Item {
        self.ask(k, span);
        self.note(k, span, self.has_asked, false);
        self.asked(k, span, leave)
    }

    fn duplicate(self, k: &Builder, span: Span) -> Self {
        let flags = [self.has_asked, self.is_some];
        let [has_asked, is_some] = flags.map(|flag| k.state_of(span, ScalarType::Bool, Operand::var(flag)));
        let copy = Self { inner: self.inner.duplicate(k, span), has_asked, is_some, slot: I::Item::slot(k, span) };
        copy.take_over(k, span, self);
        copy
    }

    fn restore(self, k: &Builder, span: Span, from: Self) {
        k.set(span, self.has_asked, ScalarType::Bool, Operand::var(from.has_asked));
        k.set(span, self.is_some, ScalarType::Bool, Operand::var(from.is_some));
        self.take_over(k, span, from);
        self.inner.restore(k, span, from.inner);
    }
}

impl<I: Iterated<Item: KeptItem>> Peeked<I> {
    /// Takes the item that another has asked for.
    fn take_over(self, k: &Builder, span: Span, from: Self) {
        let put = k.block(|| I::Item::get(k, span, from.slot).put(k, span, self.slot));
        k.emit_if(span, Operand::var(from.is_some), put, Vec::new());
    }
}

impl Builder {
    /// `.peekable()`
    #[inline(never)]
    pub fn peeked<I: Iterated<Item: KeptItem>>(&self, at: u32, inner: I) -> Peeked<I> {
        let span = self.span(at);
        let flag = || self.state_of(span, ScalarType::Bool, Operand::constant(false));
        Peeked { inner, has_asked: flag(), is_some: flag(), slot: I::Item::slot(self, span) }
    }

    /// `it.peek()`
    #[inline(never)]
    pub fn peek<I>(&self, at: u32, iterator: Peeked<I>) -> Let<Option<<I::Item as OwnedItem>::Owned>>
    where
        I: Iterated<Item: KeptItem + OwnedItem>,
    {
        let span = self.span(at);
        iterator.ask(self, span);
        self.item_or_none(span, |span| iterator.asked(self, span, 0).owned(self, span))
    }

    /// `it.next_if(|x| ..)`
    #[inline(never)]
    pub fn next_if<I>(
        &self,
        at: u32,
        iterator: Peeked<I>,
        condition: impl Fn(I::Item, &Self) -> Let<bool>,
    ) -> Let<Option<<I::Item as OwnedItem>::Owned>>
    where
        I: Iterated<Item: KeptItem + OwnedItem>,
    {
        let span = self.span(at);
        iterator.ask(self, span);
        self.item_or_none(span, |span| {
            let item = iterator.asked(self, span, 0);
            let is_not = self.not_of(span, condition(item, self).operand(self));
            self.leave_if(span, is_not, 0);
            iterator.note(self, span, iterator.has_asked, false);
            item.owned(self, span)
        })
    }
}
