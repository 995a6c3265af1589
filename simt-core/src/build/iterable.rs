//! What has `.iter()`: memory, whose items are references to its elements.

use super::{
    ArrayMut, ArrayRef, Atomic, AtomicRef, AtomicRows, AtomicSlice, Builder, Elements, IntoItems, Items, IteratedRefs,
    KernelData, Let, Region, Sequence, SliceMut, SliceRef,
};
use crate::source::Span;
use std::marker::PhantomData;

/// Memory that is gone over element by element.
#[diagnostic::on_unimplemented(
    message = "this has no elements to go over in a kernel",
    label = "neither a slice nor an array",
    note = "slices, `&[T]` and `&mut [T]`, and arrays have elements"
)]
pub trait Iterable: Elements {
    /// The references to the elements.
    type Items;
    /// Those of this memory.
    fn items(region: Region) -> Self::Items;
}

macro_rules! of_values {
    ($([$($generics:tt)*] $handle:ty;)*) => {$(
        impl<T: KernelData $($generics)*> Iterable for $handle {
            type Items = IteratedRefs<T>;

            fn items(region: Region) -> IteratedRefs<T> {
                IteratedRefs(region, PhantomData)
            }
        }
    )*};
}
of_values! {
    [] SliceRef<T>; [] SliceMut<T>; [, const N: usize] ArrayRef<T, N>; [, const N: usize] ArrayMut<T, N>;
}

/// Atomics, of which the items are references.
#[derive(Debug)]
pub struct AtomicItems<A>(Region, PhantomData<A>);

impl<A> Clone for AtomicItems<A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A> Copy for AtomicItems<A> {}

impl<A: Atomic> Items for AtomicItems<A> {
    type Item = AtomicRef<A>;

    fn item(self, k: &Builder, span: Span, position: Let<usize>) -> AtomicRef<A> {
        // A position is within the bounds.
        let index = k.moved(span, self.0, position.operand(k));
        AtomicRef::new(k, span, self.0.memory.into(), index)
    }
}

impl<A: Atomic> Iterable for AtomicSlice<A> {
    type Items = AtomicItems<A>;

    fn items(region: Region) -> AtomicItems<A> {
        AtomicItems(region, PhantomData)
    }
}

/// An array of atomics, which no loop copies, is gone over by reference.
impl<A: Atomic> IntoItems for AtomicSlice<A> {
    type Gone = Sequence<AtomicItems<A>>;

    fn into_items(self, k: &Builder, at: u32, _: bool) -> Sequence<AtomicItems<A>> {
        k.iter(at, self)
    }
}

/// Rows of atomics, each of which is memory.
#[derive(Debug)]
pub struct AtomicRowItems<A, const N: usize>(Region, PhantomData<A>);

impl<A, const N: usize> Clone for AtomicRowItems<A, N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A, const N: usize> Copy for AtomicRowItems<A, N> {}

impl<A: Atomic, const N: usize> Items for AtomicRowItems<A, N> {
    type Item = AtomicSlice<A>;

    fn item(self, k: &Builder, span: Span, position: Let<usize>) -> AtomicSlice<A> {
        let index = k.moved(span, self.0, position.operand(k));
        AtomicSlice::new(k.row_of(span, self.0.memory.into(), N, index))
    }
}

impl<A: Atomic, const N: usize> Iterable for AtomicRows<[A; N]> {
    type Items = AtomicRowItems<A, N>;

    fn items(region: Region) -> AtomicRowItems<A, N> {
        AtomicRowItems(region, PhantomData)
    }
}

impl<A: Atomic, const N: usize> IntoItems for AtomicRows<[A; N]> {
    type Gone = Sequence<AtomicRowItems<A, N>>;

    fn into_items(self, k: &Builder, at: u32, _: bool) -> Sequence<AtomicRowItems<A, N>> {
        k.iter(at, self)
    }
}

impl Builder {
    /// `x.iter()`
    #[inline(never)]
    pub fn iter<I: Iterable>(&self, at: u32, memory: I) -> Sequence<I::Items> {
        let (span, region) = (self.span(at), memory.region());
        let length = self.length(span, region, I::per_element());
        Sequence { length: self.position(span, length), items: I::items(region) }
    }
}
