//! Arguments `&[T]` of methods of `std`: `x.starts_with(&[1, 2])`.

use super::super::layout::HasStorage;
use super::super::{
    ArrayMut, ArrayRef, Builder, KernelData, Let, Mutable, RefArgument, Region, SliceArgument, SliceMut, SliceRef,
    Value, ValueMut, ValueRef,
};
use super::Subject;
use crate::scalar::Scalar;
use crate::source::Span;

/// Can be passed as `&[T]` to a method of `std`: memory, and an array that is a value.
#[diagnostic::on_unimplemented(
    message = "mismatched types in kernel: expected `&[{T}]`, found `{Self}`",
    label = "neither a slice nor an array of `{T}`"
)]
pub trait ElementsArgument<T> {
    /// Where the elements are.
    fn elements(self, k: &Builder, span: Span) -> Region;
}

macro_rules! elements_of_memory {
    ($([$($generics:tt)*] $handle:ty;)*) => {$(
        impl<T: KernelData $($generics)*> ElementsArgument<T> for $handle {
            fn elements(self, _: &Builder, _: Span) -> Region {
                self.region
            }
        }
    )*};
}
elements_of_memory! {
    [] SliceRef<T>; [] SliceMut<T>; [, const N: usize] ArrayRef<T, N>; [, const N: usize] ArrayMut<T, N>;
}

macro_rules! elements_of_values {
    ($($handle:ident<$reference:ty>;)*) => {$(
        impl<T: KernelData> ElementsArgument<T> for $handle<$reference> {
            fn elements(self, k: &Builder, span: Span) -> Region {
                SliceArgument::<T>::argument(self, k, span)
            }
        }
    )*};
}
elements_of_values! {
    Let<&'static [T]>; Value<&'static [T]>; Mutable<&'static [T]>; ValueRef<&'static [T]>;
    Let<&'static mut [T]>; Value<&'static mut [T]>; Mutable<&'static mut [T]>; ValueRef<&'static mut [T]>;
    ValueMut<&'static mut [T]>;
}

impl<T: Scalar, const N: usize> ElementsArgument<T> for ValueRef<[T; N]> {
    fn elements(self, k: &Builder, span: Span) -> Region {
        let value = RefArgument::<[T; N]>::value(self, k);
        k.subject_memory(T::STORAGE, span, Subject::Value(value.operand))
    }
}
