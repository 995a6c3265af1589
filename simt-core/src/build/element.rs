//! Elements: what memory can be made of, and which handle a kernel's name for such memory is.
//!
//! Whether a slice is one of values or one of atomics is found by the type of its elements, so that an alias or a type
//! parameter is as good as the type's own name.

use super::{ArrayMut, ArrayRef, AtomicRows, AtomicSlice, Builder, KernelData, Region, SliceMut, SliceRef};
use crate::build::{Atomic, AtomicF32, AtomicF64};
use crate::source::Span;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicI64, AtomicIsize, AtomicU32, AtomicU64, AtomicUsize};

/// A type that elements of a kernel's slices and `#[shared]` arrays can have: what [`KernelData`] is, and atomics.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an element of a kernel's memory",
    label = "neither a scalar nor a struct with `KernelData` nor an atomic",
    note = "kernels compute with u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 bool usize isize"
)]
pub trait MemoryElement: Sized {
    /// Type of the values in it.
    type Data: KernelData;
    /// The handle of a parameter `&[Self]`.
    type Slice: From<Region>;
    /// The handle of a parameter `&mut [Self]`, which atomics have only so that of the mistake rustc says one thing.
    type SliceMut: From<Region>;
    /// The handle of an array `let a`.
    type Array<const N: usize>: From<Region>;
    /// The handle of an array `let mut a`.
    type ArrayMut<const N: usize>: From<Region>;
    /// How threads get at them.
    type Access: ElementAccess;
}

/// How threads get at elements.
pub trait ElementAccess {
    /// Whether by atomic operations only.
    const ATOMIC: bool;
}

/// Elements are loaded and stored.
#[derive(Debug)]
pub enum PlainAccess {}

/// Elements are atomics.
#[derive(Debug)]
pub enum AtomicAccess {}

/// Elements are arrays of atomics.
#[derive(Debug)]
pub enum AtomicRowAccess {}

impl ElementAccess for PlainAccess {
    const ATOMIC: bool = false;
}

impl ElementAccess for AtomicAccess {
    const ATOMIC: bool = true;
}

impl ElementAccess for AtomicRowAccess {
    const ATOMIC: bool = true;
}

impl<T: KernelData> MemoryElement for T {
    type Data = T;
    type Slice = SliceRef<T>;
    type SliceMut = SliceMut<T>;
    type Array<const N: usize> = ArrayRef<T, N>;
    type ArrayMut<const N: usize> = ArrayMut<T, N>;
    type Access = PlainAccess;
}

macro_rules! atomic_elements {
    ($($atomic:ident)*) => {$(
        impl<const N: usize> MemoryElement for [$atomic; N] {
            type Data = [<$atomic as Atomic>::Value; N];
            type Slice = AtomicRows<Self>;
            type SliceMut = AtomicRows<Self>;
            type Array<const M: usize> = AtomicRows<Self>;
            type ArrayMut<const M: usize> = AtomicRows<Self>;
            type Access = AtomicRowAccess;
        }
        impl MemoryElement for $atomic {
            type Data = <Self as Atomic>::Value;
            // Atomics are written through shared references.
            type Slice = AtomicSlice<Self>;
            type SliceMut = AtomicSlice<Self>;
            type Array<const M: usize> = AtomicSlice<Self>;
            type ArrayMut<const M: usize> = AtomicSlice<Self>;
            type Access = AtomicAccess;
        }
    )*};
}
atomic_elements!(AtomicU32 AtomicI32 AtomicU64 AtomicI64 AtomicUsize AtomicIsize AtomicBool AtomicF32 AtomicF64);

macro_rules! from_memory {
    ($($handle:ident)*) => {$(
        impl<T> From<Region> for $handle<T> {
            fn from(region: Region) -> Self {
                Self::new(region)
            }
        }
    )*};
}
from_memory!(SliceRef SliceMut AtomicSlice AtomicRows);

impl<T, const N: usize> From<Region> for ArrayRef<T, N> {
    fn from(region: Region) -> Self {
        Self::new(region)
    }
}

impl<T, const N: usize> From<Region> for ArrayMut<T, N> {
    fn from(region: Region) -> Self {
        Self::new(region)
    }
}

/// Can be passed to a device function that takes a `&[T]`.
#[diagnostic::on_unimplemented(
    message = "mismatched types in kernel: expected `&[{T}]`, found `{Self}`",
    label = "neither a slice nor an array of `{T}`",
    note = "slices, `&[T]` and `&mut [T]`, and arrays can be passed where a device function takes a `&[T]`"
)]
pub trait SliceArgument<T> {
    /// Where its elements are.
    fn argument(self, k: &Builder, span: Span) -> Region;
}

/// Can be passed to a device function that takes a `&mut [T]`.
#[diagnostic::on_unimplemented(
    message = "mismatched types in kernel: expected `&mut [{T}]`, found `{Self}`",
    label = "neither a slice nor an array of `{T}` that may be written",
    note = "a parameter `&mut [T]` and an array `let mut` may be written",
    note = "atomics are passed where a device function takes a `&[AtomicU32]`"
)]
pub trait SliceMutArgument<T> {
    /// Where its elements are.
    fn argument(self, k: &Builder, span: Span) -> Region;
}

macro_rules! slice_arguments {
    ($($trait:ident<$element:ty>: [$($generics:tt)*] $handle:ty;)*) => {$(
        impl<$($generics)*> $trait<$element> for $handle {
            fn argument(self, _: &Builder, _: Span) -> Region {
                self.region
            }
        }
    )*};
}
slice_arguments! {
    SliceArgument<T>: [T: KernelData] SliceRef<T>;
    SliceArgument<T>: [T: KernelData] SliceMut<T>;
    SliceArgument<T>: [T: KernelData, const N: usize] ArrayRef<T, N>;
    SliceArgument<T>: [T: KernelData, const N: usize] ArrayMut<T, N>;
    SliceArgument<A>: [A: Atomic] AtomicSlice<A>;
    SliceArgument<[A; N]>: [A: Atomic, const N: usize] AtomicRows<[A; N]>;
    SliceMutArgument<T>: [T: KernelData] SliceMut<T>;
    SliceMutArgument<T>: [T: KernelData, const N: usize] ArrayMut<T, N>;
}
