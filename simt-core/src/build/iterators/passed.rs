//! Iterators that are passed to device functions: `fn f(it: impl Iterator<Item = u32>)`.
//!
//! As a closure that is passed, such an iterator is part of what the function is made of. Its state is in variables of the
//! caller's, which are captured (see the room `captures`).

use super::cursor::Begun;
use super::{Iterated, OwnedItem};
use crate::build::closure::Origin;
use crate::build::function::OnlyKernelsCallThis;
use crate::build::{Builder, Composite, IntoItems, Let, Mutable, NamedMemory, Referent, Value, ValueMut};
use crate::source::Span;

/// An iterator of another function's, whose items are values.
#[derive(Clone, Copy, Debug)]
pub struct PassedItems<I> {
    inner: I,
    /// Where it stands.
    origin: Origin,
}

impl<I> PassedItems<I> {
    pub(in crate::build) fn new(inner: I, origin: Origin) -> Self {
        Self { inner, origin }
    }
}

impl<I: Iterated<Item: OwnedItem>> Iterated for PassedItems<I> {
    type Item = Let<<I::Item as OwnedItem>::Owned>;

    fn step(self, k: &Builder, span: Span, leave: u32) -> Self::Item {
        let entered = k.enter(self.origin);
        let item = self.inner.step(k, span, leave).owned(k, span);
        k.leave(entered);
        item
    }

    fn duplicate(self, k: &Builder, span: Span) -> Self {
        Self { inner: self.inner.duplicate(k, span), ..self }
    }

    fn restore(self, k: &Builder, span: Span, from: Self) {
        self.inner.restore(k, span, from.inner);
    }
}

/// Can be passed as an iterator of `T`s.
#[diagnostic::on_unimplemented(
    message = "mismatched types in kernel: expected an iterator of `{T}`, found `{Self}`",
    label = "not an iterator of `{T}`",
    note = "slices and arrays have `.iter()`; a struct has `#[device] impl Iterator`"
)]
pub trait IteratorArgument<T> {
    /// The iterator.
    type Iterator: Iterated<Item: OwnedItem<Owned = T>> + 'static;
    /// Makes it.
    fn begun_argument(self, k: &Builder, at: u32) -> Self::Iterator;
}

#[diagnostic::do_not_recommend]
impl<T, I: Iterated<Item: OwnedItem<Owned = T>> + 'static> IteratorArgument<T> for I {
    type Iterator = I;

    fn begun_argument(self, _: &Builder, _: u32) -> I {
        self
    }
}

macro_rules! values {
    ($($handle:ident)*) => {$(
        /// A range, or a struct.
        impl<T, V> IteratorArgument<T> for $handle<V>
        where
            V: Composite,
            Let<V>: NamedMemory<Memory: IntoItems<Gone: Begun<Iterator: Iterated<Item: OwnedItem<Owned = T>> + 'static>>>,
        {
            type Iterator = <<<Let<V> as NamedMemory>::Memory as IntoItems>::Gone as Begun>::Iterator;

            fn begun_argument(self, k: &Builder, at: u32) -> Self::Iterator {
                let memory = k.keep::<V>(at, self).named(k, k.span(at));
                k.begun(at, memory.lent_items(k, at, false))
            }
        }
    )*};
}
values!(Let Mutable Value);

/// `&mut it` of a struct: what the function takes of it is gone.
impl<T, V> IteratorArgument<T> for ValueMut<V>
where
    V: Composite,
    Mutable<V>: NamedMemory<Memory: IntoItems<Gone: Begun<Iterator: Iterated<Item: OwnedItem<Owned = T>> + 'static>>>,
{
    type Iterator = <<<Mutable<V> as NamedMemory>::Memory as IntoItems>::Gone as Begun>::Iterator;

    fn begun_argument(self, k: &Builder, at: u32) -> Self::Iterator {
        let memory = Referent::name(self).named(k, k.span(at));
        k.begun(at, memory.lent_items(k, at, false))
    }
}

impl OnlyKernelsCallThis<'_> {
    /// Passes an iterator; what it is in the function.
    #[inline(never)]
    pub fn iterator<T, I: IteratorArgument<T>>(&mut self, iterator: I) -> PassedItems<I::Iterator> {
        let origin = self.k.origin();
        self.closures.push(origin);
        PassedItems::new(iterator.begun_argument(self.k, 0), origin)
    }
}
