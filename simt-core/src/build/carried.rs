//! References to memory as values: `&[T]`, `&mut [T]` and `&mut T` in variables, results, tuples, structs and options.
//!
//! A `&T` is the value: it cannot change while the reference is there, so that nothing can tell the two apart. The macro
//! writes `T` for it.

use super::arena::{Leaf, Operand};
use super::base::{BASE, BASE_TYPE};
use super::element::{SliceArgument, SliceMutArgument};
use super::layout::{HasLayout, HasStorage};
use super::nameable::NamedValue;
use super::record::{Column, First, NoFields};
use super::rows::NamedMemory;
use super::shape::Shape;
use super::{
    ArrayMut, ArrayRef, Atomic, AtomicRef, AtomicSlice, Behind, Builder, Composite, IntoValue, IteratedMut, KernelData,
    Let, MemoryElement, Mutable, Region, SliceMut, SliceRef, Value, ValueMut, ValueRef,
};
use crate::program::Memory;
use crate::scalar::ScalarType;
use crate::source::Span;
use std::marker::PhantomData;

macro_rules! slices {
    ($($reference:ty, $made:expr, $handle:ident;)*) => {$(
        impl<T: MemoryElement + 'static> Composite for $reference {
            const COUNT: u32 = 3;

            fn shape() -> Shape {
                Shape::Scalar
            }

            fn made(_: &mut dyn FnMut(ScalarType) -> u64) -> Self {
                $made
            }

            fn leaves(path: &str, show: &mut dyn FnMut(&str, ScalarType)) {
                show(&format!("{path}.{BASE}"), BASE_TYPE);
                show(&format!("{path}.start"), ScalarType::Usize);
                show(&format!("{path}.len"), ScalarType::Usize);
            }
        }

        not_in_memory!([T: MemoryElement + 'static] $reference);

        impl<T: MemoryElement + 'static> NamedMemory for Let<$reference> {
            type Memory = T::$handle;

            fn named(self, k: &Builder, span: Span) -> T::$handle {
                let leaves = k.leaves(<$reference>::LAYOUT, self.operand(k));
                k.slice_of(T::Data::STORAGE, span, &leaves).into()
            }
        }

        impl<T: MemoryElement + 'static> NamedMemory for Value<$reference> {
            type Memory = T::$handle;

            fn named(self, k: &Builder, span: Span) -> T::$handle {
                k.slice_of(T::Data::STORAGE, span, &k.leaves(<$reference>::LAYOUT, self.operand)).into()
            }
        }

        impl<T: MemoryElement + 'static> NamedMemory for Mutable<$reference> {
            type Memory = T::$handle;

            fn named(self, k: &Builder, span: Span) -> T::$handle {
                k.slice_of(T::Data::STORAGE, span, &k.leaves(<$reference>::LAYOUT, k.variables(self.var, self.count))).into()
            }
        }

        impl<T: MemoryElement + 'static> NamedValue for $reference {
            type Name = T::$handle;
            type NameMut = Mutable<$reference>;

            fn named(k: &Builder, at: u32, value: Value<Self>, _: &'static str) -> T::$handle {
                k.slice_of(T::Data::STORAGE, k.span(at), &k.leaves(<$reference>::LAYOUT, value.operand)).into()
            }

            fn named_mut(k: &Builder, at: u32, value: Value<Self>, name: &'static str) -> Mutable<$reference> {
                k.bind_mut::<$reference>(at, name, value)
            }
        }

        impl<T: MemoryElement + 'static> Value<$reference> {
            fn region(self, k: &Builder, span: Span) -> Region {
                k.slice_of(T::Data::STORAGE, span, &k.leaves(<$reference>::LAYOUT, self.operand))
            }
        }
    )*};
}

/// What may be a part of a struct, but not of one that is an element.
macro_rules! not_in_memory {
    ([$($generics:tt)*] $reference:ty) => {
        impl<$($generics)*> KernelData for $reference {
            type Fields = NoFields<Self>;
            const COLUMNS: u32 = <Self as Composite>::COUNT;

            fn fields(_: First) -> NoFields<Self> {
                NoFields(PhantomData)
            }

            fn columns(path: &str, show: &mut dyn FnMut(Column<'_>)) {
                <Self as Composite>::leaves(path, &mut |path, ty| show(Column { path, ty, length: None }));
            }

            fn cells(column: u32, show: &mut dyn FnMut(u32, u32)) {
                (column..column + Self::COLUMNS).for_each(|column| show(column, 0));
            }
        }
    };
}

slices! {
    &'static [T], &[], Slice;
    &'static mut [T], &mut [], SliceMut;
}

/// Slices of nothing, which refer to no memory.
macro_rules! empty {
    ($($reference:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: MemoryElement + 'static> IntoValue<$reference> for [T; 0] {
            fn into_value(self, k: &Builder, _: Span) -> Value<$reference> {
                Value::new(k.whole(&[Operand::Never, Operand::constant(0_usize), Operand::constant(0_usize)]))
            }
        }

        // What `unwrap_or_default()` has.
        #[diagnostic::do_not_recommend]
        impl<T: MemoryElement + 'static> IntoValue<Self> for $reference {
            fn into_value(self, k: &Builder, span: Span) -> Value<Self> {
                if !self.is_empty() {
                    k.problem(span, "a slice of the host's is no value in a kernel: pass it as an argument".to_owned());
                }
                IntoValue::<Self>::into_value([] as [T; 0], k, span)
            }
        }
    )*};
}
empty!(&'static [T], &'static mut [T]);

impl<T: KernelData> IntoValue<&'static [T]> for SliceRef<T> {
    fn into_value(self, k: &Builder, span: Span) -> Value<&'static [T]> {
        Value::new(k.slice_leaves(span, self.region, T::STORAGE.leading()))
    }
}

impl<T: KernelData> IntoValue<&'static mut [T]> for SliceMut<T> {
    fn into_value(self, k: &Builder, span: Span) -> Value<&'static mut [T]> {
        Value::new(k.slice_leaves(span, self.region, T::STORAGE.leading()))
    }
}

impl<A: Atomic + MemoryElement> IntoValue<&'static [A]> for AtomicSlice<A> {
    fn into_value(self, k: &Builder, span: Span) -> Value<&'static [A]> {
        Value::new(k.slice_leaves(span, self.region, 1))
    }
}

/// A reference to an element as a value: its memory, and its index there.
macro_rules! element_reference {
    ($(#[$doc:meta])* $reference:ident<$of:ident: $bound:path>) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $reference<$of>(PhantomData<fn() -> $of>);

        impl<$of: $bound> Composite for $reference<$of> {
            const COUNT: u32 = 2;

            fn shape() -> Shape {
                Shape::Scalar
            }

            fn made(_: &mut dyn FnMut(ScalarType) -> u64) -> Self {
                Self(PhantomData)
            }

            fn leaves(path: &str, show: &mut dyn FnMut(&str, ScalarType)) {
                show(&format!("{path}.{BASE}"), BASE_TYPE);
                show(&format!("{path}.index"), ScalarType::Usize);
            }
        }
        not_in_memory!([$of: $bound] $reference<$of>);
    };
}
element_reference! {
    /// The type of `&mut a[i]` as a value. (Of `&mut T`, a crate of the user's could say that it is a scalar.)
    RefMut<T: KernelData>
}
element_reference! {
    /// The type of `&a[i]` of an atomic as a value.
    RefAtomic<A: Atomic>
}

impl<T: KernelData> IntoValue<RefMut<T>> for IteratedMut<T> {
    fn into_value(self, k: &Builder, _: Span) -> Value<RefMut<T>> {
        let (memory, index) = self.parts(k);
        Value::new(k.whole(&[Operand::Leaf(Leaf::Base(memory)), index.operand(k)]))
    }
}

fn element_of<T: KernelData>(k: &Builder, span: Span, operand: Operand) -> (Memory, Let<usize>) {
    let leaves = k.leaves(<RefMut<T>>::LAYOUT, operand);
    (k.memory_of(T::STORAGE, span, leaves[0]), k.position(span, leaves[1]))
}

macro_rules! behind {
    ($($handle:ident: |$this:ident, $k:ident| $operand:expr;)*) => {$(
        impl<T: KernelData> Behind for $handle<RefMut<T>> {
            type Target = T;
            type Slice = SliceMut<T>;

            fn parts(self, k: &Builder) -> (Memory, Let<usize>) {
                let ($this, $k) = (self, k);
                element_of::<T>(k, Span::default(), $operand)
            }

            fn slice(memory: Memory) -> SliceMut<T> {
                SliceMut::new(memory)
            }
        }
    )*};
}
behind! {
    Let: |this, k| this.operand(k);
    Value: |this, _k| this.operand;
    Mutable: |this, k| k.variables(this.var, this.count);
}

impl<T: KernelData> NamedValue for RefMut<T> {
    type Name = IteratedMut<T>;
    type NameMut = Mutable<Self>;

    fn named(k: &Builder, at: u32, value: Value<Self>, _: &'static str) -> IteratedMut<T> {
        let (memory, index) = element_of::<T>(k, k.span(at), value.operand);
        IteratedMut::new(memory, index)
    }

    fn named_mut(k: &Builder, at: u32, value: Value<Self>, name: &'static str) -> Mutable<Self> {
        k.bind_mut::<Self>(at, name, value)
    }
}

macro_rules! arguments {
    ($($trait:ident: [$($generics:tt)*] $handle:ident<$reference:ty>;)*) => {$(
        impl<$($generics)*> $trait<T> for $handle<$reference> {
            fn argument(self, k: &Builder, span: Span) -> Region {
                let value: Value<$reference> = IntoValue::<$reference>::into_value(self, k, span);
                value.region(k, span)
            }
        }
    )*};
}
arguments! {
    SliceArgument: [T: MemoryElement + 'static] Let<&'static [T]>;
    SliceArgument: [T: MemoryElement + 'static] Value<&'static [T]>;
    SliceArgument: [T: MemoryElement + 'static] Mutable<&'static [T]>;
    SliceArgument: [T: MemoryElement + 'static] Let<&'static mut [T]>;
    SliceArgument: [T: MemoryElement + 'static] Value<&'static mut [T]>;
    SliceArgument: [T: MemoryElement + 'static] Mutable<&'static mut [T]>;
    SliceMutArgument: [T: MemoryElement + 'static] Let<&'static mut [T]>;
    SliceMutArgument: [T: MemoryElement + 'static] Value<&'static mut [T]>;
    SliceMutArgument: [T: MemoryElement + 'static] Mutable<&'static mut [T]>;
}

macro_rules! lent_arguments {
    ($($trait:ident: $handle:ident<$reference:ty>;)*) => {$(
        impl<T: MemoryElement + 'static> $trait<T> for $handle<$reference> {
            fn argument(self, k: &Builder, span: Span) -> Region {
                $trait::<T>::argument(super::Referent::name(self), k, span)
            }
        }
    )*};
}
// `&s` of a slice that is a value.
lent_arguments! {
    SliceArgument: ValueRef<&'static [T]>;
    SliceArgument: ValueRef<&'static mut [T]>;
    SliceArgument: ValueMut<&'static mut [T]>;
    SliceMutArgument: ValueMut<&'static mut [T]>;
}

/// What `&x` and `&mut x` are where they are values.
#[diagnostic::on_unimplemented(
    message = "a `&mut` to a variable is no value in a kernel: it would need a pointer chosen at run time",
    label = "a variable has no address",
    note = "it is passed to a function, or named by a `let`; one to an element of a slice or an array, `&mut x[i]`, is a value",
    note = "where one of two variables is to change, write the change in each arm of the `if` or `match`"
)]
pub trait ReferenceValue {
    /// The value.
    type Carried;
    /// Makes it.
    fn carried(self, k: &Builder) -> Self::Carried;
}

macro_rules! carried_as_it_is {
    ($($handle:ident)*) => {$(
        impl<T> ReferenceValue for $handle<T> {
            type Carried = Self;

            fn carried(self, _: &Builder) -> Self {
                self
            }
        }
    )*};
}
carried_as_it_is!(SliceRef SliceMut AtomicSlice AtomicRef IteratedMut);

impl<T> ReferenceValue for ValueRef<T> {
    type Carried = Let<T>;

    fn carried(self, _: &Builder) -> Let<T> {
        super::Referent::name(self)
    }
}

impl<T> ReferenceValue for ValueMut<&'static mut [T]> {
    type Carried = Mutable<&'static mut [T]>;

    fn carried(self, _: &Builder) -> Self::Carried {
        super::Referent::name(self)
    }
}

/// `&a` of an array: the array, or all of it as a slice.
#[derive(Debug)]
pub struct CarriedArray<T, const N: usize>(ArrayRef<T, N>);

/// `&mut a` of an array.
#[derive(Debug)]
pub struct CarriedArrayMut<T, const N: usize>(ArrayMut<T, N>);

impl<T, const N: usize> ReferenceValue for ArrayRef<T, N> {
    type Carried = CarriedArray<T, N>;

    fn carried(self, _: &Builder) -> CarriedArray<T, N> {
        CarriedArray(self)
    }
}

impl<T, const N: usize> ReferenceValue for ArrayMut<T, N> {
    type Carried = CarriedArrayMut<T, N>;

    fn carried(self, _: &Builder) -> CarriedArrayMut<T, N> {
        CarriedArrayMut(self)
    }
}

macro_rules! carried_arrays {
    ($($handle:ident: $($reference:ty),*;)*) => {$($(
        impl<T: KernelData, const N: usize> IntoValue<$reference> for $handle<T, N> {
            fn into_value(self, k: &Builder, span: Span) -> Value<$reference> {
                Value::new(k.slice_leaves(span, self.0.region, T::STORAGE.leading()))
            }
        }
    )*
        impl<T: KernelData, const N: usize> IntoValue<[T; N]> for $handle<T, N> {
            fn into_value(self, k: &Builder, span: Span) -> Value<[T; N]> {
                self.0.into_value(k, span)
            }
        }
    )*};
}
carried_arrays! {
    CarriedArray: &'static [T];
    CarriedArrayMut: &'static [T], &'static mut [T];
}

impl Builder {
    /// `&x`, where it is a value.
    #[inline(never)]
    pub fn carried<R: ReferenceValue>(&self, _at: u32, reference: R) -> R::Carried {
        reference.carried(self)
    }
}
