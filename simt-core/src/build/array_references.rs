//! Arrays as arguments, where a function's text has another form of the type: memory for `&A` of `type A = [T; N]`, and
//! a value that is an array for `&[T]`.

use super::arena::Operand;
use super::element::{SliceArgument, SliceMutArgument};
use super::layout::{HasLayout, HasStorage};
use super::reference::{RefArgument, RefMutArgument, Referent};
use super::{
    ArrayMut, ArrayRef, AtomicRows, AtomicSlice, Builder, Composite, ElementMut, ElementPlace, FieldMemory, IntoValue,
    IteratedMut, IteratedRef, KernelData, Let, Mutable, NamedMemory, Region, Same, SliceMut, SliceRef, Types, Value,
    ValueMut, ValueRef,
};
use crate::program::VarId;
use crate::source::Span;

/// Has so many elements, as a `&[T; N]` says: of an array rustc knows it, so that it finds out what a function's `N` is.
#[diagnostic::on_unimplemented(
    message = "mismatched types in kernel: expected an array of {N} elements, found `{Self}`",
    label = "expected an array of {N} elements",
    note = "pass an array of that length, or let the function take a slice, `&[T]`"
)]
pub trait OfExtent<const N: usize> {}

macro_rules! of_extent {
    ($($array:ty),*; $([$($generics:tt)*] $slice:ty),*;) => {
        $(impl<T, const N: usize> OfExtent<N> for $array {})*
        // Of a slice it is known when the program is built, if it ever is.
        $(impl<$($generics)* const N: usize> OfExtent<N> for $slice {})*
    };
}
of_extent! {
    ArrayRef<T, N>, ArrayMut<T, N>, ValueRef<[T; N]>, ValueMut<[T; N]>, ElementMut<[T; N]>, IteratedRef<[T; N]>, IteratedMut<[T; N]>;
    [T,] SliceRef<T>, [T,] SliceMut<T>, [T,] AtomicSlice<T>, [T,] AtomicRows<T>,
        [T,] Let<&'static [T]>, [T,] Value<&'static [T]>, [T,] Mutable<&'static [T]>,
        [T,] Let<&'static mut [T]>, [T,] Value<&'static mut [T]>, [T,] Mutable<&'static mut [T]>,
        [T,] ValueRef<&'static [T]>, [T,] ValueRef<&'static mut [T]>, [T,] ValueMut<&'static mut [T]>;
}

macro_rules! memory_as_value {
    ($($handle:ident)*) => {$(
        impl<T: KernelData, const N: usize> RefArgument<[T; N]> for $handle<T, N> {
            fn value(self, k: &Builder) -> Value<[T; N]> {
                self.into_value(k, Span::default())
            }
        }
    )*};
}
memory_as_value!(ArrayRef ArrayMut);

/// The function gets a copy, and gives it back.
impl<T: KernelData, const N: usize> RefMutArgument<[T; N]> for ArrayMut<T, N> {
    fn variable(self, k: &Builder, span: Span) -> (VarId, Option<ElementPlace>) {
        let (first, region) = (k.new_variables(<[T; N]>::LAYOUT, None, true, false), self.region);
        let value: Value<[T; N]> = self.into_value(k, span);
        k.set_all(<[T; N]>::LAYOUT, span, first, value.operand);
        (first, Some(ElementPlace::array::<T, N>(k, region, first)))
    }
}

fn spilled<T: KernelData, const N: usize>(k: &Builder, span: Span, value: Operand) -> Region {
    <[T; N]>::memory(k, span, Value::new(value)).region
}

impl<T: KernelData, const N: usize> SliceArgument<T> for ValueRef<[T; N]> {
    fn argument(self, k: &Builder, span: Span) -> Region {
        spilled::<T, N>(k, span, self.name().operand(k))
    }
}

impl<T: KernelData, const N: usize> SliceArgument<T> for ValueMut<[T; N]> {
    fn argument(self, k: &Builder, span: Span) -> Region {
        let variable = self.name();
        spilled::<T, N>(k, span, k.variables(variable.var, variable.count))
    }
}

impl<T: KernelData, const N: usize> SliceMutArgument<T> for ValueMut<[T; N]> {
    fn argument(self, k: &Builder, span: Span) -> Region {
        k.mirror(T::STORAGE, span, self.name().var, N)
    }
}

/// A variable that is an array, as an `if` gives one, and as a function has it that takes `&mut A`.
impl<T: KernelData, const N: usize> NamedMemory for Mutable<[T; N]> {
    type Memory = ArrayMut<T, N>;

    fn named(self, k: &Builder, span: Span) -> ArrayMut<T, N> {
        ArrayMut::new(k.mirror(T::STORAGE, span, self.var, N))
    }
}

/// What a conversion that may fail gives, as an argument: of a function that takes a `&[T; N]`, the array.
#[derive(Debug)]
pub struct ConvertedArgument<U>(Value<U>);

#[diagnostic::do_not_recommend]
impl<U, T> IntoValue<T> for ConvertedArgument<U>
where
    Types: Same<U, T>,
{
    fn into_value(self, _: &Builder, _: Span) -> Value<T> {
        Types::same(self.0)
    }
}

/// Of a function that takes `&A` of `type A = [T; N]`.
#[diagnostic::do_not_recommend]
impl<U, T> RefArgument<T> for ConvertedArgument<U>
where
    Types: Same<U, T>,
{
    fn value(self, _: &Builder) -> Value<T> {
        Types::same(self.0)
    }
}

// Each for one type, so that rustc finds out what the conversion is to.
#[diagnostic::do_not_recommend]
impl<T: KernelData, const N: usize> SliceArgument<T> for ConvertedArgument<[T; N]> {
    fn argument(self, k: &Builder, span: Span) -> Region {
        spilled::<T, N>(k, span, self.0.operand)
    }
}

#[diagnostic::do_not_recommend]
impl<T, const N: usize> OfExtent<N> for ConvertedArgument<[T; N]> {}

impl Builder {
    /// `x.try_into().unwrap()`, as an argument.
    #[inline(never)]
    pub fn converted_argument<U: Composite>(&self, at: u32, value: impl IntoValue<U>) -> ConvertedArgument<U> {
        ConvertedArgument(self.hold(at, value))
    }
}
