//! Where a slice is expected, an array becomes one, and a `&mut [T]` a `&[T]`: what a function gives that returns a slice,
//! and what a struct's field gets.

use super::arena::Operand;
use super::layout::HasStorage;
use super::{
    ArrayMut, ArrayRef, Atomic, AtomicSlice, Builder, CarriedArray, CarriedArrayMut, Composite, FieldMemory, IntoValue,
    KernelData, Let, MemoryElement, Mutable, Never, SliceArgument, SliceMut, SliceMutArgument, SliceRef, Value,
};
use crate::source::Span;

/// Can be returned where a `R` is, which is a slice.
#[diagnostic::on_unimplemented(
    message = "mismatched types in kernel: expected `{R}`, found `{Self}`",
    label = "expected `{R}`, found `{Self}`"
)]
pub trait Coerced<R> {
    /// The slice.
    fn coerced(self, k: &Builder, span: Span) -> Value<R>;
}

macro_rules! coerced {
    ($($argument:ident, $reference:ty: $([$($generics:tt)*] $handle:ty),*;)*) => {$($(
        impl<T: KernelData $($generics)*> Coerced<$reference> for $handle {
            fn coerced(self, k: &Builder, span: Span) -> Value<$reference> {
                let region = $argument::<T>::argument(self, k, span);
                Value::new(k.slice_leaves(span, region, T::STORAGE.leading()))
            }
        }
    )*)*};
}
coerced! {
    SliceArgument, &'static [T]: [] SliceRef<T>, [] SliceMut<T>, [, const N: usize] ArrayRef<T, N>, [, const N: usize] ArrayMut<T, N>,
        [] Let<&'static mut [T]>, [] Value<&'static mut [T]>, [] Mutable<&'static mut [T]>;
    SliceMutArgument, &'static mut [T]: [] SliceMut<T>, [, const N: usize] ArrayMut<T, N>;
}

macro_rules! values {
    ($($reference:ty: $([$($generics:tt)*] $handle:ty),*;)*) => {$($(
        impl<$($generics)*> Coerced<$reference> for $handle {
            fn coerced(self, k: &Builder, span: Span) -> Value<$reference> {
                self.into_value(k, span)
            }
        }
    )*)*};
}
values! {
    &'static [T]: [T: MemoryElement + 'static] Let<&'static [T]>, [T: MemoryElement + 'static] Value<&'static [T]>, [T: MemoryElement + 'static] Mutable<&'static [T]>,
        [T: KernelData, const N: usize] CarriedArray<T, N>, [T: KernelData, const N: usize] CarriedArrayMut<T, N>;
    &'static mut [T]: [T: MemoryElement + 'static] Let<&'static mut [T]>, [T: MemoryElement + 'static] Value<&'static mut [T]>,
        [T: MemoryElement + 'static] Mutable<&'static mut [T]>, [T: KernelData, const N: usize] CarriedArrayMut<T, N>;
    &'static [A]: [A: Atomic + MemoryElement] AtomicSlice<A>;
}

/// `&value.field`, where another struct's field gets it: that, or of an array a slice.
#[derive(Debug)]
pub struct LentField<T>(Value<T>);

impl<T> IntoValue<T> for LentField<T> {
    fn into_value(self, _: &Builder, _: Span) -> Value<T> {
        self.0
    }
}

impl<T: KernelData, const N: usize> IntoValue<&'static [T]> for LentField<[T; N]> {
    fn into_value(self, k: &Builder, span: Span) -> Value<&'static [T]> {
        let array = <[T; N]>::memory(k, span, self.0);
        IntoValue::<&'static [T]>::into_value(SliceRef::<T>::new(array.region), k, span)
    }
}

impl<R> Coerced<R> for Never {
    fn coerced(self, _: &Builder, _: Span) -> Value<R> {
        Value::new(Operand::Never)
    }
}

impl Builder {
    /// `&value.field`
    #[inline(never)]
    pub fn field_lent<T: Composite>(&self, at: u32, value: impl IntoValue<T>) -> LentField<T> {
        LentField(value.into_value(self, self.span(at)))
    }

    /// `return slice`
    #[inline(never)]
    pub fn return_slice<R: Composite>(&self, at: u32, result: Let<R>, value: impl Coerced<R>) -> Never {
        let value = value.coerced(self, self.span(at));
        self.return_value(at, result, value)
    }

    /// The slice at the end of a device function.
    #[inline(never)]
    pub fn give_slice<R: Composite>(&self, at: u32, result: Let<R>, value: impl Coerced<R>) {
        let value = value.coerced(self, self.span(at));
        self.give_result(at, result, value);
    }
}
