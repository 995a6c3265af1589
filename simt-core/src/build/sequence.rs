//! `for` over elements: `for x in &a`, `.iter()`, `.iter_mut()`, and what stands behind them.
//!
//! A sequence has a length, known before the loop, and its items follow from their positions. So a `for` over it is one that
//! counts. An item of `.iter()` is a reference: the element is read where the name is used, as in Rust, and not before.

use super::arena::Operand;
use super::iterators::{Own, Perhaps};
use super::layout::{HasLayout, HasStorage};
use super::{
    ArrayMut, ArrayRef, AtomicRows, AtomicSlice, Builder, Counts, IteratedMuts, IteratedRef, IteratedRefs, KernelData,
    Let, ReadSlice, Region, SliceMut, SliceRef, Tuple, WriteSlice,
};
use crate::ops::{Args, BinaryOp, NumericOp};
use crate::program::{ArraySpace, Memory};
use crate::scalar::ScalarType;
use crate::source::Span;
use std::marker::PhantomData;

/// Items, and how many they are.
#[derive(Clone, Copy, Debug)]
pub struct Sequence<I> {
    pub(super) length: Let<usize>,
    pub(super) items: I,
}

/// The items of a sequence.
pub trait Items: Copy {
    /// What a name in the pattern of a `for` stands for.
    type Item;
    /// The item at a position.
    fn item(self, k: &Builder, span: Span, position: Let<usize>) -> Self::Item;
}

/// An item that a pattern of a tuple takes apart: one of `.enumerate()` or `.zip(..)`, or a value.
#[diagnostic::on_unimplemented(
    message = "a pattern of a tuple for what is none, or a reference to one",
    label = "not a tuple",
    note = "elements that are no tuples have one name each: `for x in a`, and `.enumerate()` gives their numbers"
)]
pub trait ItemParts {
    /// Its parts.
    type Parts;
    /// The parts of this one.
    fn parts(self, k: &Builder) -> Self::Parts;
}

impl<A, B> ItemParts for (A, B) {
    type Parts = Self;

    fn parts(self, _: &Builder) -> Self {
        self
    }
}

impl<T: Tuple> ItemParts for Let<T> {
    type Parts = T::Names;

    fn parts(self, k: &Builder) -> T::Names {
        T::names(k, self)
    }
}

/// Can be gone over by a `for`: of slices the references to elements, of arrays their values.
#[diagnostic::on_unimplemented(
    message = "a `for` cannot go over this in a kernel",
    label = "neither a slice nor an array of values",
    note = "a `for` goes over ranges, `0..n`, and over slices and arrays"
)]
pub trait IntoItems {
    /// What a `for` goes over: a sequence, or an iterator.
    type Gone;
    /// Makes it. `changes` says whether the loop may change an array.
    fn into_items(self, k: &Builder, at: u32, changes: bool) -> Self::Gone;

    /// As that, of what nothing asks for behind it, or what is to be gone over where it is.
    fn lent_items(self, k: &Builder, at: u32, changes: bool) -> Self::Gone
    where
        Self: Sized,
    {
        self.into_items(k, at, changes)
    }
}

impl<T: KernelData> IntoItems for SliceRef<T> {
    type Gone = Sequence<IteratedRefs<T>>;

    fn into_items(self, k: &Builder, at: u32, _: bool) -> Sequence<IteratedRefs<T>> {
        k.iter(at, self)
    }
}

impl<T: KernelData> IntoItems for SliceMut<T> {
    type Gone = Sequence<IteratedMuts<T>>;

    fn into_items(self, k: &Builder, at: u32, _: bool) -> Sequence<IteratedMuts<T>> {
        k.iter_mut(at, self)
    }
}

/// What a `for` goes over that a name refers to: of an array the elements, and not their values.
pub trait BehindReference {
    /// The memory.
    type Memory;
    /// Finds it.
    fn behind_reference(self) -> Self::Memory;
}

macro_rules! behind_references {
    ($([$($generics:tt)*] $handle:ty: $memory:ty, |$this:ident| $found:expr;)*) => {$(
        impl<$($generics)*> BehindReference for $handle {
            type Memory = $memory;

            fn behind_reference(self) -> $memory {
                let $this = self;
                $found
            }
        }
    )*};
}
behind_references! {
    [T, const N: usize] ArrayRef<T, N>: SliceRef<T>, |array| SliceRef::new(array.region);
    [T, const N: usize] ArrayMut<T, N>: SliceMut<T>, |array| SliceMut::new(array.region);
    [T] SliceRef<T>: Self, |same| same;
    [T] SliceMut<T>: Self, |same| same;
    [T] AtomicSlice<T>: Self, |same| same;
    [T] AtomicRows<T>: Self, |same| same;
    [T] Own<T>: Self, |same| same;
    [T] Perhaps<T>: Self, |same| same;
    [T] Counts<T>: Self, |same| same;
}

macro_rules! arrays_of_values {
    ($($handle:ident)*) => {$(
        impl<T: KernelData, const N: usize> IntoItems for $handle<T, N> {
            type Gone = Sequence<Copied<IteratedRefs<T>>>;

            fn into_items(self, k: &Builder, at: u32, changes: bool) -> Sequence<Copied<IteratedRefs<T>>> {
                k.values_of(at, self, changes)
            }
        }
    )*};
}
arrays_of_values!(ArrayRef ArrayMut);

/// `.copied()`, and the items of an array itself.
#[derive(Clone, Copy, Debug)]
pub struct Copied<I>(I);

impl<T: KernelData, I: Items<Item = IteratedRef<T>>> Items for Copied<I> {
    type Item = Let<T>;

    fn item(self, k: &Builder, span: Span, position: Let<usize>) -> Let<T> {
        let reference = self.0.item(k, span, position);
        Let::new(k, k.pinned_value(T::LAYOUT, span, k.read(span, reference).operand))
    }
}

/// `.enumerate()`
#[derive(Clone, Copy, Debug)]
pub struct Enumerated<I>(pub(super) I);

impl<I: Items> Items for Enumerated<I> {
    type Item = (Let<usize>, I::Item);

    fn item(self, k: &Builder, span: Span, position: Let<usize>) -> Self::Item {
        (position, self.0.item(k, span, position))
    }
}

/// `.zip(other)`
#[derive(Clone, Copy, Debug)]
pub struct Zipped<A, B>(pub(super) A, pub(super) B);

impl<A: Items, B: Items> Items for Zipped<A, B> {
    type Item = (A::Item, B::Item);

    fn item(self, k: &Builder, span: Span, position: Let<usize>) -> Self::Item {
        (self.0.item(k, span, position), self.1.item(k, span, position))
    }
}

/// `.rev()`, `.skip(n)`, `.step_by(n)`: items at other positions.
#[derive(Clone, Copy, Debug)]
pub struct Moved<I> {
    pub(super) items: I,
    pub(super) way: Way,
    pub(super) by: Let<usize>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Way {
    /// At `by - position`
    Back,
    /// At `by + position`
    Skip,
    /// At `by * position`
    Step,
}

impl<I: Items> Items for Moved<I> {
    type Item = I::Item;

    fn item(self, k: &Builder, span: Span, position: Let<usize>) -> I::Item {
        let op = match self.way {
            Way::Back => BinaryOp::Sub,
            Way::Skip => BinaryOp::Add,
            Way::Step => BinaryOp::Mul,
        };
        let position = k.binary(span, op, ScalarType::Usize, self.by.operand(k), position.operand(k));
        self.items.item(k, span, k.position(span, position))
    }
}

impl Builder {
    /// `x.iter_mut()`
    #[inline(never)]
    pub fn iter_mut<T: KernelData, S: WriteSlice<T>>(&self, at: u32, slice: S) -> Sequence<IteratedMuts<T>> {
        let (length, region) = self.counted(at, slice);
        Sequence { length, items: IteratedMuts(region, PhantomData) }
    }

    /// `for x in memory`: `changes` says whether the loop may change it.
    #[inline(never)]
    pub fn into_iter<I: IntoItems>(&self, at: u32, memory: I, changes: bool) -> I::Gone {
        memory.into_items(self, at, changes)
    }

    /// As [`Builder::into_iter`], where the rest of an iterator's items is left to its name: `memory.by_ref()`
    #[inline(never)]
    pub fn lent_iter<I: IntoItems>(&self, at: u32, memory: I, changes: bool) -> I::Gone {
        memory.lent_items(self, at, changes)
    }

    /// What a name refers to that a `for` goes over.
    #[inline(never)]
    pub fn behind_reference<M: BehindReference>(&self, memory: M) -> M::Memory {
        memory.behind_reference()
    }

    /// The array as it is before the loop, of which there is a copy if the loop may change it.
    #[inline(never)]
    pub fn values_of<T: KernelData>(
        &self,
        at: u32,
        array: impl ReadSlice<T>,
        changes: bool,
    ) -> Sequence<Copied<IteratedRefs<T>>> {
        let (length, region) = self.counted(at, array);
        let is_shared = match region.memory {
            Memory::Array(id) => self.state.borrow().program.array(id).space == ArraySpace::Shared,
            Memory::Param(_) => false,
        };
        let known = length.operand(self).as_constant().filter(|_| changes || is_shared);
        let region = match known {
            Some(number) => {
                let span = self.span(at);
                let space = ArraySpace::Local;
                let copy = self.declare_arrays(T::STORAGE, span, "copy", number.bits as usize, space, false).into();
                self.copy_elements(T::STORAGE, span, region, copy, length.operand(self));
                copy
            }
            None => region,
        };
        Sequence { length, items: Copied(IteratedRefs(region, PhantomData)) }
    }

    /// How many elements there are, and where.
    fn counted<T: KernelData, S: ReadSlice<T>>(&self, at: u32, slice: S) -> (Let<usize>, Region) {
        let (span, region) = (self.span(at), slice.region());
        let length = self.length(span, region, S::per_element());
        (self.position(span, length), region)
    }

    /// `.copied()`
    #[inline(never)]
    pub fn copied<I>(&self, _at: u32, sequence: Sequence<I>) -> Sequence<Copied<I>> {
        Sequence { length: sequence.length, items: Copied(sequence.items) }
    }

    /// `.rev()`
    #[inline(never)]
    pub fn rev<I>(&self, at: u32, sequence: Sequence<I>) -> Sequence<Moved<I>> {
        let (span, length) = (self.span(at), sequence.length);
        // Of no items the last is never asked for.
        let one = Operand::constant(1_usize);
        let last = self.binary(span, BinaryOp::Sub, ScalarType::Usize, length.operand(self), one);
        let by = self.position(span, last);
        Sequence { length, items: Moved { items: sequence.items, way: Way::Back, by } }
    }

    /// The parts of an item that is a tuple.
    #[inline(never)]
    pub fn item_parts<I: ItemParts>(&self, item: I) -> I::Parts {
        item.parts(self)
    }

    /// A number under a name.
    pub(super) fn position(&self, span: Span, number: Operand) -> Let<usize> {
        Let::new(self, self.pin(span, ScalarType::Usize, number))
    }

    pub(super) fn of_lengths(&self, at: u32, op: NumericOp, a: Let<usize>, b: Let<usize>) -> Let<usize> {
        let span = self.span(at);
        let args = Args::from([a.operand(self), b.operand(self)]);
        let length = self.numeric(span, op, ScalarType::Usize, args);
        self.position(span, length)
    }
}
