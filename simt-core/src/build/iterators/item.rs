//! Items as values, and items that are kept while the iterator goes on.

use super::super::layout::{HasLayout, HasStorage};
use crate::build::arena::Operand;
use crate::build::{Builder, Composite, IteratedRef, KernelData, Let, Referred, SliceRef, Value};
use crate::program::{ArraySpace, Memory, StoreAccess, VarId};
use crate::source::Span;

/// An item that is a value, or a reference to one that may only be read.
#[diagnostic::on_unimplemented(
    message = "this item of an iterator is no value in a kernel",
    label = "a place that may be written, or a subslice",
    note = "`for` and `while let Some(x) = it.next()` take such items one after the other"
)]
pub trait OwnedItem: Copy {
    /// Its type.
    type Owned: Composite;
    /// The value.
    fn owned(self, k: &Builder, span: Span) -> Let<Self::Owned>;
}

impl<T: Composite> OwnedItem for Let<T> {
    type Owned = T;

    fn owned(self, _: &Builder, _: Span) -> Self {
        self
    }
}

impl<T: KernelData> OwnedItem for IteratedRef<T> {
    type Owned = T;

    fn owned(self, k: &Builder, span: Span) -> Let<T> {
        Let::new(k, k.pinned_value(T::LAYOUT, span, k.read(span, self).operand))
    }
}

impl<A: OwnedItem, B: OwnedItem> OwnedItem for (A, B) {
    type Owned = (A::Owned, B::Owned);

    fn owned(self, k: &Builder, span: Span) -> Let<Self::Owned> {
        let (a, b) = (self.0.owned(k, span).operand(k), self.1.owned(k, span).operand(k));
        let mut leaves = k.leaves(A::Owned::LAYOUT, a);
        k.append(B::Owned::LAYOUT, &mut leaves, b);
        Let::new(k, k.whole(&leaves))
    }
}

/// An item that a variable can hold, so that it may come from one place or another.
#[diagnostic::on_unimplemented(
    message = "these items cannot be kept in a kernel: a place that may be written is known when the program is built",
    label = "of this, which place an item is would be chosen at run time",
    note = "write a loop for each of the two"
)]
pub trait KeptItem: Copy {
    /// Where it is kept.
    type Slot: Copy + std::fmt::Debug;
    /// A place for one.
    fn slot(k: &Builder, span: Span) -> Self::Slot;
    /// Puts it there.
    fn put(self, k: &Builder, span: Span, slot: Self::Slot);
    /// What is there now.
    fn get(k: &Builder, span: Span, slot: Self::Slot) -> Self;
}

impl<T: Composite> KeptItem for Let<T> {
    type Slot = VarId;

    fn slot(k: &Builder, span: Span) -> VarId {
        let first = k.new_variables(T::LAYOUT, None, true, false);
        k.set_all(T::LAYOUT, span, first, k.whole(&T::LAYOUT.nothing()));
        first
    }

    fn put(self, k: &Builder, span: Span, slot: VarId) {
        k.set_all(T::LAYOUT, span, slot, self.operand(k));
    }

    fn get(k: &Builder, span: Span, slot: VarId) -> Self {
        Self::new(k, k.pinned_value(T::LAYOUT, span, k.variables(slot, T::COUNT)))
    }
}

/// A copy of what it refers to, which nothing changes while there is the reference.
impl<T: KernelData> KeptItem for IteratedRef<T> {
    type Slot = Memory;

    fn slot(k: &Builder, span: Span) -> Memory {
        k.declare_arrays(T::STORAGE, span, "item", 1, ArraySpace::Local, false).into()
    }

    fn put(self, k: &Builder, span: Span, slot: Memory) {
        let value = k.read(span, self).operand;
        k.store_all(T::STORAGE, span, StoreAccess::Plain, slot, Operand::constant(0_usize), value);
    }

    fn get(k: &Builder, span: Span, slot: Memory) -> Self {
        let first = || Value::new(Operand::constant(0_usize));
        let copy = Self::slot(k, span);
        SliceRef::<T>::new(slot).refer(k, span, first()).put(k, span, copy);
        SliceRef::<T>::new(copy).refer(k, span, first())
    }
}

impl<A: KeptItem, B: KeptItem> KeptItem for (A, B) {
    type Slot = (A::Slot, B::Slot);

    fn slot(k: &Builder, span: Span) -> Self::Slot {
        (A::slot(k, span), B::slot(k, span))
    }

    fn put(self, k: &Builder, span: Span, slot: Self::Slot) {
        self.0.put(k, span, slot.0);
        self.1.put(k, span, slot.1);
    }

    fn get(k: &Builder, span: Span, slot: Self::Slot) -> Self {
        (A::get(k, span, slot.0), B::get(k, span, slot.1))
    }
}
