//! Which handle can be used where, and what rustc tells the user if it cannot.
//!
//! Inference needs that each type has exactly one implementation of [`IntoValue`]: from `{integer}: IntoValue<u32>` rustc
//! then concludes that the literal is a `u32`, and from `Let<u32>: IntoValue<_>` that a `u32` is meant.

use super::arena::Operand;
use super::layout::{HasLayout, HasStorage};
use super::{
    ArrayMut, ArrayRef, AtomicRows, AtomicSlice, Builder, Composite, KernelData, Let, Mutable, Never, Region, SliceMut,
    SliceRef, Value,
};
use crate::build::Atomic;
use crate::program::VarId;
use crate::source::Span;

/// Can be used where a kernel needs a value of type `T`.
#[diagnostic::on_unimplemented(
    message = "mismatched types in kernel: expected `{T}`, found `{Self}`",
    label = "expected `{T}`, found `{Self}`",
    note = "a kernel converts nothing by itself: write `as` between numbers, `x != 0` for a `bool`, of a float `x != 0.0`, and `1.0` for a float"
)]
pub trait IntoValue<T> {
    /// The value. `span` is the place of the operation that uses it.
    fn into_value(self, k: &Builder, span: Span) -> Value<T>;
}

/// `Types: Same<U, T>` holds if `U` and `T` are one type.
///
/// A handle's own type must be found out in both directions (`Let<_>` where a `u32` is needed, `Let<u32>` where anything
/// is), and a mismatch is to be named by the user's types. A bound with a known `Self` and one implementation does both.
#[diagnostic::on_unimplemented(
    message = "mismatched types in kernel: expected `{T}`, found `{U}`",
    label = "expected `{T}`, found `{U}`",
    note = "a kernel converts nothing by itself: write `as` between numbers, `x != 0` for a `bool`, of a float `x != 0.0`, and `1.0` for a float"
)]
pub trait Same<U, T> {
    /// The same value.
    fn same(value: Value<U>) -> Value<T>;
}

/// What [`Same`] is asked of.
#[derive(Debug)]
pub enum Types {}

// For all, so that rustc does not show the implementation as one that is nearly right.
impl<T, All> Same<T, T> for All {
    fn same(value: Value<T>) -> Value<T> {
        value
    }
}

macro_rules! impl_for_host_types {
    ($($host:ty)*) => {$(
        /// A constant of the host: a literal, or a name from outside the kernel.
        #[diagnostic::do_not_recommend]
        impl IntoValue<$host> for $host {
            fn into_value(self, k: &Builder, span: Span) -> Value<$host> {
                k.constant(span, self)
            }
        }
    )*};
}
// Not `impl<T: Scalar> IntoValue<T> for T`: of `2 * x` with a float `x`, rustc would then find the `x` wrong and not the `2`.
impl_for_host_types!(u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 bool usize isize);
#[cfg(feature = "half")]
impl_for_host_types!(half::f16 half::bf16);

impl<U, T> IntoValue<T> for Value<U>
where
    Types: Same<U, T>,
{
    fn into_value(self, _: &Builder, _: Span) -> Value<T> {
        Types::same(self)
    }
}

impl<U, T> IntoValue<T> for Let<U>
where
    Types: Same<U, T>,
{
    fn into_value(self, k: &Builder, _: Span) -> Value<T> {
        Types::same(Value::new(self.operand(k)))
    }
}

impl<U, T> IntoValue<T> for Mutable<U>
where
    Types: Same<U, T>,
{
    fn into_value(self, k: &Builder, _: Span) -> Value<T> {
        Types::same(Value::new(k.variables(self.var, self.count)))
    }
}

impl<T> IntoValue<T> for Never {
    fn into_value(self, _: &Builder, _: Span) -> Value<T> {
        Value::new(Operand::Never)
    }
}

/// Can be an index or a length: a `usize`.
#[diagnostic::on_unimplemented(
    message = "mismatched types in kernel: expected `usize`, found `{Self}`",
    label = "expected `usize`, found `{Self}`",
    note = "indices and lengths are `usize`: write `n as usize`"
)]
pub trait IntoIndex: IntoValue<usize> {}

/// `Types: IsIndex<U>` holds if `U` is `usize`, as [`Same`] does.
#[diagnostic::on_unimplemented(
    message = "mismatched types in kernel: expected `usize`, found `{U}`",
    label = "expected `usize`, found `{U}`",
    note = "indices and lengths are `usize`: write `n as usize`"
)]
pub trait IsIndex<U>: Same<U, usize> {}

impl<All> IsIndex<usize> for All {}

#[diagnostic::do_not_recommend]
impl IntoIndex for usize {}
#[diagnostic::do_not_recommend]
impl IntoIndex for Never {}
impl<U> IntoIndex for Value<U> where Types: IsIndex<U> {}
impl<U> IntoIndex for Let<U> where Types: IsIndex<U> {}
impl<U> IntoIndex for Mutable<U> where Types: IsIndex<U> {}

macro_rules! array_values {
    ($($handle:ident)*) => {$(
        /// All elements.
        impl<T: KernelData, U, const N: usize> IntoValue<U> for $handle<T, N>
        where
            Types: Same<[T; N], U>,
        {
            fn into_value(self, k: &Builder, span: Span) -> Value<U> {
                Types::same(k.array_value(span, self.region))
            }
        }
    )*};
}
array_values!(ArrayRef ArrayMut);

/// Can be assigned a value of type `T`.
#[diagnostic::on_unimplemented(
    message = "cannot assign to this name in a kernel",
    label = "not a `let mut` variable",
    note = "write `let mut` (or `mut` before the parameter's name) where it is declared",
    note = "an array is assigned element by element: `a[i] = ..`"
)]
pub trait Place<T> {
    /// The variable.
    fn var(self) -> VarId;
    /// Assigns a value.
    fn put(self, k: &Builder, span: Span, value: Value<T>)
    where
        Self: Sized,
        T: Composite;
}

#[diagnostic::do_not_recommend]
impl<T> Place<T> for Mutable<T> {
    fn var(self) -> VarId {
        self.var
    }

    fn put(self, k: &Builder, span: Span, value: Value<T>)
    where
        T: Composite,
    {
        k.replace(T::LAYOUT, span, self.var, value.operand);
    }
}

#[diagnostic::do_not_recommend]
impl<T: KernelData, const N: usize> Place<[T; N]> for ArrayMut<T, N> {
    fn var(self) -> VarId {
        unreachable!("an array has no fields")
    }

    fn put(self, k: &Builder, span: Span, value: Value<[T; N]>) {
        k.put_array::<T, N>(span, self.region, value.operand);
    }
}

/// Has elements, and so a length.
#[diagnostic::on_unimplemented(
    message = "this has no length in a kernel",
    label = "neither a slice nor an array",
    note = "slices and arrays have a length"
)]
pub trait Elements {
    /// Where they are.
    fn region(self) -> Region;

    /// How many elements the first column has for each of its own.
    fn per_element() -> u32;
}

/// Has elements of type `T` that a thread reads.
#[diagnostic::on_unimplemented(
    message = "cannot index this in a kernel",
    label = "neither a slice nor an array of numbers",
    note = "slices, `&[T]` and `&mut [T]`, and arrays have elements",
    note = "an element that is an atomic is read with `x[i].load(Relaxed)`"
)]
pub trait ReadSlice<T>: Elements {
    /// What a slice of fields of the elements is.
    type Column<U: KernelData>: ReadSlice<U>;

    /// The slice of fields that is there.
    fn column<U: KernelData>(region: Region) -> Self::Column<U>;
}

/// Has elements of type `T` that a thread may write.
#[diagnostic::on_unimplemented(
    message = "cannot write to this in a kernel",
    label = "nothing that may be written",
    note = "declare a parameter as `&mut [T]` and an array with `let mut`",
    note = "an element that is an atomic is written with `x[i].store(value, Relaxed)`"
)]
pub trait WriteSlice<T>: ReadSlice<T> {}

// Not by a macro: where rustc lists the implementations, it would show the macro.
impl<T: KernelData> Elements for SliceRef<T> {
    fn region(self) -> Region {
        self.region
    }

    fn per_element() -> u32 {
        T::STORAGE.leading()
    }
}

impl<T: KernelData> ReadSlice<T> for SliceRef<T> {
    type Column<U: KernelData> = SliceRef<U>;

    fn column<U: KernelData>(region: Region) -> SliceRef<U> {
        SliceRef::new(region)
    }
}

impl<T: KernelData> Elements for SliceMut<T> {
    fn region(self) -> Region {
        self.region
    }

    fn per_element() -> u32 {
        T::STORAGE.leading()
    }
}

impl<T: KernelData> ReadSlice<T> for SliceMut<T> {
    type Column<U: KernelData> = SliceMut<U>;

    fn column<U: KernelData>(region: Region) -> SliceMut<U> {
        SliceMut::new(region)
    }
}

impl<T: KernelData, const N: usize> Elements for ArrayRef<T, N> {
    fn region(self) -> Region {
        self.region
    }

    fn per_element() -> u32 {
        T::STORAGE.leading()
    }
}

impl<T: KernelData, const N: usize> ReadSlice<T> for ArrayRef<T, N> {
    type Column<U: KernelData> = SliceRef<U>;

    fn column<U: KernelData>(region: Region) -> SliceRef<U> {
        SliceRef::new(region)
    }
}

impl<T: KernelData, const N: usize> Elements for ArrayMut<T, N> {
    fn region(self) -> Region {
        self.region
    }

    fn per_element() -> u32 {
        T::STORAGE.leading()
    }
}

impl<T: KernelData, const N: usize> ReadSlice<T> for ArrayMut<T, N> {
    type Column<U: KernelData> = SliceMut<U>;

    fn column<U: KernelData>(region: Region) -> SliceMut<U> {
        SliceMut::new(region)
    }
}

#[diagnostic::do_not_recommend]
impl<T: KernelData> WriteSlice<T> for SliceMut<T> {}
#[diagnostic::do_not_recommend]
impl<T: KernelData, const N: usize> WriteSlice<T> for ArrayMut<T, N> {}

impl<A: Atomic> Elements for AtomicSlice<A> {
    fn region(self) -> Region {
        self.region
    }

    fn per_element() -> u32 {
        1
    }
}

impl<A: Atomic, const N: usize> Elements for AtomicRows<[A; N]> {
    fn region(self) -> Region {
        self.region
    }

    fn per_element() -> u32 {
        N as u32
    }
}

macro_rules! no_values {
    ($($handle:ident)*) => {$(
        /// Memory is no value: where one is wanted, rustc says that its type is none of a value's.
        #[diagnostic::do_not_recommend]
        impl<T> IntoValue<Self> for $handle<T> {
            fn into_value(self, _: &Builder, _: Span) -> Value<Self> {
                Value::new(Operand::Never)
            }
        }
    )*};
}
no_values!(AtomicRows);
