//! Elements that are arrays, as memory: `x[i]` in `x[i].iter()`, and names of them.

use super::arena::Operand;
use super::layout::HasLayout;
use super::named::{Behind, IteratedMut, IteratedRef};
use super::{
    ArrayMut, ArrayRef, Atomic, AtomicRows, AtomicSlice, Builder, ElementOf, Elements, IntoIndex, KernelData,
    LentElement, Let, MemoryElement, Referred, Region, SliceArgument, SliceMut, SliceMutArgument, SliceRef, Value,
};
use crate::scalar::ScalarType;
use crate::source::Span;

/// What a name of a `for` or of a reference is where it has elements.
#[diagnostic::on_unimplemented(
    message = "cannot index this in a kernel",
    label = "neither a slice nor an array",
    note = "slices, `&[T]` and `&mut [T]`, and arrays have elements"
)]
pub trait NamedMemory {
    /// The memory.
    type Memory;
    /// Finds it.
    fn named(self, k: &Builder, span: Span) -> Self::Memory;
}

#[diagnostic::do_not_recommend]
impl<E: Elements> NamedMemory for E {
    type Memory = E;

    fn named(self, _: &Builder, _: Span) -> E {
        self
    }
}

macro_rules! named_rows {
    ($($name:ident: $slice:ident;)*) => {$(
        impl<T: KernelData, const N: usize> NamedMemory for $name<[T; N]> {
            type Memory = $slice<T>;

            fn named(self, k: &Builder, span: Span) -> $slice<T> {
                let (memory, index) = self.parts(k);
                $slice::new(k.row_of(span, memory.into(), N, index.operand(k)))
            }
        }
    )*};
}
named_rows! {
    IteratedRef: SliceRef;
    IteratedMut: SliceMut;
}

macro_rules! row_arguments {
    ($($argument:ident: $name:ident;)*) => {$(
        /// `let row = &x[i];`, passed as `&[T; N]` or `&[T]`.
        impl<T: KernelData + MemoryElement, const N: usize> $argument<T> for $name<[T; N]> {
            fn argument(self, k: &Builder, span: Span) -> Region {
                let (memory, index) = self.parts(k);
                k.row_of(span, memory.into(), N, index.operand(k))
            }
        }
    )*};
}
row_arguments! {
    SliceArgument: IteratedRef;
    SliceArgument: IteratedMut;
    SliceMutArgument: IteratedMut;
}

/// An array that is a value, as that of a pattern.
impl<T: KernelData, const N: usize> NamedMemory for Let<[T; N]> {
    type Memory = ArrayRef<T, N>;

    fn named(self, k: &Builder, span: Span) -> ArrayRef<T, N> {
        k.spill_leaves::<T, N>(span, &k.leaves(<[T; N]>::LAYOUT, self.operand(k)))
    }
}

/// Has elements that are arrays, each of which is memory: `x[i]` in `x[i].iter()`.
#[diagnostic::on_unimplemented(
    message = "an element of this is no array in a kernel",
    label = "its elements are not arrays",
    note = "a slice or an array has the method, or one that is an element of another: `x.len()`, `x[i].len()`"
)]
pub trait Rows: Elements {
    /// The memory of one.
    type Row;
    /// Of the elements in one.
    const WIDTH: usize;
    /// The region as one.
    fn row(region: Region) -> Self::Row;
}

macro_rules! rows {
    ($([$($generics:tt)*] $handle:ty: $slice:ident;)*) => {$(
        impl<T: KernelData, const N: usize $($generics)*> Rows for $handle {
            type Row = $slice<T>;
            const WIDTH: usize = N;

            fn row(region: Region) -> $slice<T> {
                $slice::new(region)
            }
        }
    )*};
}
rows! {
    [] SliceRef<[T; N]>: SliceRef;
    [] SliceMut<[T; N]>: SliceMut;
    [, const M: usize] ArrayRef<[T; N], M>: SliceRef;
    [, const M: usize] ArrayMut<[T; N], M>: SliceMut;
}

impl<A: Atomic, const N: usize> Rows for AtomicRows<[A; N]> {
    type Row = AtomicSlice<A>;
    const WIDTH: usize = N;

    fn row(region: Region) -> AtomicSlice<A> {
        AtomicSlice::new(region)
    }
}

/// `let row = &h[i];`: memory, as each row is.
impl<A: Atomic, const N: usize> Referred for AtomicRows<[A; N]> {
    type Name = AtomicSlice<A>;

    fn refer(self, k: &Builder, span: Span, index: Value<usize>) -> AtomicSlice<A> {
        let index = k.located(span, self.region, index.operand);
        AtomicSlice::new(k.row_of(span, self.region.memory.into(), N, index))
    }
}

/// `f(&h[i])`
impl<A: Atomic, const N: usize> LentElement for AtomicRows<[A; N]> {
    type Reference = AtomicSlice<A>;

    fn lend_element(self, k: &Builder, at: u32, index: Value<usize>) -> AtomicSlice<A> {
        self.refer(k, k.span(at), index)
    }
}

/// Memory whose elements have methods: `x[i].len()`.
#[diagnostic::on_unimplemented(
    message = "cannot index this in a kernel",
    label = "neither a slice nor an array of numbers",
    note = "slices, `&[T]` and `&mut [T]`, and arrays have elements",
    note = "an element that is an atomic is read with `x[i].load(Relaxed)`"
)]
pub trait ElementReceiver {
    /// What stands before the point.
    type Receiver;
    /// That of the element at an index.
    fn element_receiver(self, k: &Builder, at: u32, index: Value<usize>) -> Self::Receiver;
}

macro_rules! element_receivers {
    ($([$($generics:tt)*] $handle:ty;)*) => {$(
        impl<T: KernelData $($generics)*> ElementReceiver for $handle {
            type Receiver = ElementOf<Self, T>;

            fn element_receiver(self, k: &Builder, at: u32, index: Value<usize>) -> ElementOf<Self, T> {
                k.receiver_element(at, self, index)
            }
        }
    )*};
}
element_receivers! {
    [] SliceRef<T>; [] SliceMut<T>; [, const N: usize] ArrayRef<T, N>; [, const N: usize] ArrayMut<T, N>;
}

impl<A: Atomic, const N: usize> ElementReceiver for AtomicRows<[A; N]> {
    type Receiver = AtomicSlice<A>;

    fn element_receiver(self, k: &Builder, at: u32, index: Value<usize>) -> AtomicSlice<A> {
        self.refer(k, k.span(at), index)
    }
}

impl Builder {
    /// `slice[index]`, before a point.
    #[inline(never)]
    pub fn element_receiver<S: ElementReceiver>(&self, at: u32, slice: S, index: impl IntoIndex) -> S::Receiver {
        let index = self.operand(self.span(at), index);
        slice.element_receiver(self, at, Value::new(index))
    }

    /// A name as what has elements.
    #[inline(never)]
    pub fn named_memory<N: NamedMemory>(&self, at: u32, name: N) -> N::Memory {
        name.named(self, self.span(at))
    }

    /// `slice[index]` as what has elements.
    #[inline(never)]
    pub fn row<S: Rows>(&self, at: u32, slice: S, index: impl IntoIndex) -> S::Row {
        let (span, region) = (self.span(at), slice.region());
        let index = self.operand(span, index);
        let index = self.located(span, region, index);
        S::row(self.row_of(span, region.memory.into(), S::WIDTH, index))
    }

    /// The elements of the array that is the element with this index.
    pub(super) fn row_of(&self, span: Span, memory: Region, width: usize, index: Operand) -> Region {
        let index = self.pin(span, ScalarType::Usize, index);
        let start = self.flat(span, index, width as u32, Operand::constant(0_usize));
        self.bounded(span, memory, start, Operand::constant(width))
    }
}
