//! Names of references to elements: the items of a `for`, and `let r = &mut x[i];`.
//!
//! Such a name is memory and an index. The element is read where the name is used, as in Rust, and not before.

use super::layout::HasStorage;
use super::{
    ArrayMut, ArrayRef, Atomic, AtomicRef, AtomicRows, AtomicSlice, Builder, ElementMut, Elements, IntoIndex,
    IntoValue, Items, KernelData, Let, Mutable, Region, Same, SliceMut, SliceRef, Types, Value, ValueRef, WriteSlice,
};
use crate::program::{LoadAccess, Memory};
use crate::source::Span;
use std::marker::PhantomData;

/// A reference to an element, as a name.
#[diagnostic::on_unimplemented(
    message = "`*` of this in a kernel: it is no reference",
    label = "not a reference",
    note = "items of `x.iter()` and of `&x` are references; those of an array itself are values"
)]
pub trait Behind {
    /// The element's type.
    type Target: KernelData;
    /// The memory where it is.
    type Slice;
    /// The memory, and the element's index.
    fn parts(self, k: &Builder) -> (Memory, Let<usize>);
    /// The memory as a handle.
    fn slice(memory: Memory) -> Self::Slice;
}

macro_rules! references {
    ($($(#[$doc:meta])* $items:ident, $name:ident, $slice:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name<T> {
            memory: Memory,
            index: Let<usize>,
            ty: PhantomData<T>,
        }

        // Not derived: a reference is `Copy` whatever it refers to.
        impl<T> Clone for $name<T> {
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<T> Copy for $name<T> {}

        #[doc = concat!("Items that are a [`", stringify!($name), "`] each.")]
        #[derive(Debug)]
        pub struct $items<T>(pub(super) Region, pub(super) PhantomData<T>);

        impl<T> Clone for $items<T> {
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<T> Copy for $items<T> {}

        impl<T> $name<T> {
            pub(super) fn new(memory: Memory, index: Let<usize>) -> Self {
                Self { memory, index, ty: PhantomData }
            }
        }

        impl<T: KernelData> Items for $items<T> {
            type Item = $name<T>;

            fn item(self, k: &Builder, span: Span, position: Let<usize>) -> $name<T> {
                let index = match self.0.is_subslice() {
                    true => k.position(span, k.moved(span, self.0, position.operand(k))),
                    false => position,
                };
                $name::new(self.0.memory, index)
            }
        }

        impl<T: KernelData> Behind for $name<T> {
            type Target = T;
            type Slice = $slice<T>;

            fn parts(self, _: &Builder) -> (Memory, Let<usize>) {
                (self.memory, self.index)
            }

            fn slice(memory: Memory) -> $slice<T> {
                $slice::new(memory)
            }
        }
    )*};
}
references! {
    /// `&x[i]`
    IteratedRefs, IteratedRef, SliceRef;
    /// `&mut x[i]`
    IteratedMuts, IteratedMut, SliceMut;
}

/// Where a `&T` is used, its value is meant, as Rust's operators have it.
impl<U: KernelData, T> IntoValue<T> for IteratedRef<U>
where
    Types: Same<U, T>,
{
    fn into_value(self, k: &Builder, span: Span) -> Value<T> {
        Types::same(k.read(span, self))
    }
}

/// Memory to whose elements a name can refer: `let r = &x[i];`
pub trait Referred {
    /// What the name stands for.
    type Name;
    /// The reference to the element at an index.
    fn refer(self, k: &Builder, span: Span, index: Value<usize>) -> Self::Name;
}

macro_rules! referred {
    ($([$($generics:tt)*] $handle:ty;)*) => {$(
        impl<T: KernelData $($generics)*> Referred for $handle {
            type Name = IteratedRef<T>;

            fn refer(self, k: &Builder, span: Span, index: Value<usize>) -> IteratedRef<T> {
                let region = self.region();
                let index = k.position(span, k.located(span, region, index.operand));
                IteratedRef::new(region.memory, index)
            }
        }
    )*};
}
referred! {
    [] SliceRef<T>; [] SliceMut<T>; [, const N: usize] ArrayRef<T, N>; [, const N: usize] ArrayMut<T, N>;
}

impl<A: Atomic> Referred for AtomicSlice<A> {
    type Name = AtomicRef<A>;

    fn refer(self, k: &Builder, span: Span, index: Value<usize>) -> AtomicRef<A> {
        AtomicRef::new(k, span, self.region(), index.operand)
    }
}

/// Refers to a `T`.
#[diagnostic::on_unimplemented(
    message = "mismatched types in kernel: expected `&{T}`, found `{Self}`",
    label = "not a reference to a `{T}`"
)]
pub trait RefersTo<T> {}

impl<T> RefersTo<T> for IteratedRef<T> {}
impl<T> RefersTo<T> for IteratedMut<T> {}
impl<T> RefersTo<T> for Let<T> {}
impl<T> RefersTo<T> for Mutable<T> {}
impl<T> RefersTo<T> for AtomicRef<T> {}
impl<T, const N: usize> RefersTo<[T; N]> for ArrayRef<T, N> {}
impl<T, const N: usize> RefersTo<[T; N]> for ArrayMut<T, N> {}

/// What a name of a `for` or of a reference is where it is passed to a device function.
pub trait PassedName {
    /// The argument.
    type Argument;
    /// Makes it; of `&mut x[i]`, emits a copy of the element.
    fn passed(self, k: &Builder, at: u32) -> Self::Argument;
}

impl<T: KernelData> PassedName for IteratedRef<T> {
    type Argument = ValueRef<T>;

    fn passed(self, k: &Builder, at: u32) -> ValueRef<T> {
        k.lend_value(at, k.behind(at, self))
    }
}

impl<T: KernelData> PassedName for IteratedMut<T> {
    type Argument = ElementMut<T>;

    fn passed(self, k: &Builder, at: u32) -> ElementMut<T> {
        k.lend_element_mut::<T>(at, SliceMut::new(self.memory), self.index)
    }
}

macro_rules! passed_as_it_is {
    ($($handle:ident)*) => {$(
        impl<T> PassedName for $handle<T> {
            type Argument = Self;

            fn passed(self, _: &Builder, _: u32) -> Self {
                self
            }
        }
    )*};
}
passed_as_it_is!(Let SliceRef SliceMut AtomicSlice AtomicRows AtomicRef);

/// An item that a closure sees by reference, as that of a `filter` does.
pub trait Seen {
    /// What its name stands for there.
    type Name;
    /// The name.
    fn seen(self) -> Self::Name;
}

impl<T> Seen for IteratedMut<T> {
    type Name = IteratedRef<T>;

    fn seen(self) -> IteratedRef<T> {
        IteratedRef::new(self.memory, self.index)
    }
}

macro_rules! seen_as_it_is {
    ($($handle:ident)*) => {$(
        impl<T> Seen for $handle<T> {
            type Name = Self;

            fn seen(self) -> Self {
                self
            }
        }
    )*};
}
seen_as_it_is!(IteratedRef Let SliceRef SliceMut AtomicRef AtomicSlice AtomicRows);

/// An item of `.enumerate()` or `.zip(..)`.
impl<A, B> Seen for (A, B) {
    type Name = Self;

    fn seen(self) -> Self {
        self
    }
}

impl Builder {
    /// `*reference`
    #[inline(never)]
    pub fn behind<R: Behind>(&self, at: u32, reference: R) -> Value<R::Target> {
        self.read(self.span(at), reference)
    }

    /// The memory of the element that a reference refers to.
    #[inline(never)]
    pub fn slice_behind<R: Behind>(&self, reference: R) -> R::Slice {
        R::slice(reference.parts(self).0)
    }

    /// The index of the element that a reference refers to.
    #[inline(never)]
    pub fn index_behind<R: Behind>(&self, reference: R) -> Let<usize> {
        reference.parts(self).1
    }

    pub(super) fn read<R: Behind>(&self, span: Span, reference: R) -> Value<R::Target> {
        let (memory, index) = reference.parts(self);
        Value::new(self.load_all(R::Target::STORAGE, span, LoadAccess::Plain, memory, index.operand(self)))
    }

    /// `let r = &slice[index];`
    #[inline(never)]
    pub fn refer<S: Referred>(&self, at: u32, slice: S, index: impl IntoIndex) -> S::Name {
        let span = self.span(at);
        let index = self.operand(span, index);
        slice.refer(self, span, Value::new(index))
    }

    /// `let r = &mut slice[index];`
    #[inline(never)]
    pub fn refer_mut<T: KernelData>(
        &self,
        at: u32,
        slice: impl WriteSlice<T>,
        index: impl IntoIndex,
    ) -> IteratedMut<T> {
        let (span, region) = (self.span(at), slice.region());
        let index = self.operand(span, index);
        let index = self.position(span, self.located(span, region, index));
        IteratedMut::new(region.memory, index)
    }

    /// A reference of a type that the user wrote.
    #[inline(never)]
    pub fn refers_to<T, R: RefersTo<T>>(&self, reference: R) -> R {
        reference
    }

    /// A name as an argument of a device function.
    #[inline(never)]
    pub fn passed<N: PassedName>(&self, at: u32, name: N) -> N::Argument {
        name.passed(self, at)
    }

    /// An item that a closure sees by reference.
    #[inline(never)]
    pub fn seen<I: Seen>(&self, item: I) -> I::Name {
        item.seen()
    }
}
