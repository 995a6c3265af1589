//! Conversions that may fail: `x.try_into()` and `U::try_from(x)`, of integers, and of slices that become arrays.

use super::super::arena::Operand;
use super::super::function::OnlyKernelsCallThis;
use super::super::layout::{HasLayout, HasStorage};
use super::super::{
    ArrayMut, ArrayRef, Builder, Column, Composite, DeviceTryFrom, Elements, Fields, First, IteratedRef, KernelData,
    Let, MemoryElement, Mutable, NoFields, Region, Shape, SliceArgument, SliceMut, SliceRef, Value, Written,
};
use crate::ops::CompareOp;
use crate::scalar::ScalarType;
use crate::source::Span;
use std::array::TryFromSliceError;

/// Becomes a `U`, or does not fit.
#[diagnostic::on_unimplemented(
    message = "`try_into` of this to `{U}` is not supported in a kernel",
    label = "not a number or a slice that may become a `{U}`",
    note = "integers become integers, and slices arrays: `let a: [u8; 4] = x[i..i + 4].try_into().unwrap();`"
)]
pub trait TryConverted<U> {
    /// What is said where it does not fit.
    type Error;
    /// The result.
    fn tried(self, k: &Builder, at: u32) -> Value<Result<U, Self::Error>>;
}

macro_rules! values {
    ($([$($generics:tt)*] $handle:ty: $of:ty;)*) => {$(
        impl<U: DeviceTryFrom<$of> $($generics)*> TryConverted<U> for $handle {
            type Error = U::Error;

            fn tried(self, k: &Builder, at: u32) -> Value<Result<U, U::Error>> {
                k.tried::<U, $of>(at, self)
            }
        }
    )*};
}
values! {
    [, T: KernelData] Let<T>: T; [, T: KernelData] Mutable<T>: T; [, T: KernelData] Value<T>: T;
    [, T: KernelData] IteratedRef<T>: T;
    [] u8: u8; [] u16: u16; [] u32: u32; [] u64: u64; [] usize: usize;
    [] i8: i8; [] i16: i16; [] i32: i32; [] i64: i64; [] isize: isize;
}

macro_rules! slices {
    ($([$($generics:tt)*] $handle:ty;)*) => {$(
        impl<T: KernelData, const N: usize $($generics)*> TryConverted<[T; N]> for $handle {
            type Error = TryFromSliceError;

            fn tried(self, k: &Builder, at: u32) -> Value<Result<[T; N], TryFromSliceError>> {
                k.array_of::<T, N>(k.span(at), self.region())
            }
        }
    )*};
}
slices! {
    [] SliceRef<T>; [] SliceMut<T>; [, const M: usize] ArrayRef<T, M>; [, const M: usize] ArrayMut<T, M>;
}

/// Slices that are values: what `x.get(a..b)?` gives.
macro_rules! carried {
    ($($slice:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: KernelData + MemoryElement + 'static, const N: usize> DeviceTryFrom<$slice> for [T; N] {
            type Error = TryFromSliceError;

            fn tried(call: OnlyKernelsCallThis<'_>, value: Value<$slice>) -> Value<Result<Self, TryFromSliceError>> {
                let (k, span) = (call.k, call.span());
                let region = SliceArgument::<T>::argument(value, k, span);
                k.array_of::<T, N>(span, region)
            }
        }
    )*};
}
carried! { &'static [T] &'static mut [T] }

/// It holds nothing.
impl Composite for TryFromSliceError {
    const COUNT: u32 = 0;

    fn shape() -> Shape {
        let unit = Shape::Fields(Fields::unnamed(Written::Numbered, Vec::new()));
        Shape::Fields(Fields { name: "TryFromSliceError", ..Fields::unnamed(Written::Numbered, vec![unit]) })
    }

    fn made(_: &mut dyn FnMut(ScalarType) -> u64) -> Self {
        match <[u8; 1]>::try_from([].as_slice()) {
            Err(error) => error,
            Ok(_) => unreachable!("no slice without elements is an array of one"),
        }
    }

    fn leaves(_: &str, _: &mut dyn FnMut(&str, ScalarType)) {}
}

impl KernelData for TryFromSliceError {
    type Fields = NoFields<Self>;
    const COLUMNS: u32 = 0;

    fn fields(_: First) -> NoFields<Self> {
        NoFields::new()
    }

    fn columns(_: &str, _: &mut dyn FnMut(Column<'_>)) {}

    fn cells(_: u32, _: &mut dyn FnMut(u32, u32)) {}
}

impl Builder {
    /// `U::try_from(a)`, `a.try_into()`
    #[inline(never)]
    pub fn try_convert<U, C: TryConverted<U>>(&self, at: u32, a: C) -> Value<Result<U, C::Error>> {
        a.tried(self, at)
    }

    /// The elements, if there are as many as in the array. Emits an `if` around the loads.
    fn array_of<T: KernelData, const N: usize>(
        &self,
        span: Span,
        region: Region,
    ) -> Value<Result<[T; N], TryFromSliceError>> {
        let length = self.length_of(T::STORAGE, span, region);
        let fits = self.comparison(span, CompareOp::Eq, ScalarType::Usize, length, Operand::constant(N));
        let fits = self.pin(span, ScalarType::Bool, fits);
        let none = <[T; N]>::LAYOUT.nothing();
        let first = self.new_variables(<[T; N]>::LAYOUT, None, true, true);
        let found = self.block(|| {
            let elements = self.array_value::<T, N>(span, region);
            self.set_all(<[T; N]>::LAYOUT, span, first, elements.operand);
        });
        let otherwise = self.block(|| self.set_all(<[T; N]>::LAYOUT, span, first, self.whole(&none)));
        self.emit_if(span, fits, found, otherwise);
        let elements = self.leaves(<[T; N]>::LAYOUT, self.variables(first, <[T; N]>::COUNT));
        Value::new(self.flagged(fits, &elements))
    }
}
