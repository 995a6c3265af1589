//! Arrays that a kernel declares: each thread's own, and the block's (`#[shared]`).

use super::arena::Operand;
use super::{
    ArrayMut, ArrayRef, Builder, ElementAccess, IntoValue, KernelData, MemoryElement, ReadSlice, Region, Same, Types,
};
use crate::program::{Array, ArrayId, ArraySpace, Memory, StoreAccess};
use crate::scalar::ScalarType;
use crate::source::Span;
use std::borrow::Cow;

/// An array `[value; N]` of at most so many elements is filled by that many stores, a longer one by a loop.
const UNROLLED: u64 = 8;

/// An array type: `[T; N]`.
#[diagnostic::on_unimplemented(message = "expected an array, found `{Self}`", label = "the value is an array")]
pub trait ArrayType {
    /// `T`
    type Element: KernelData;
    /// `N`
    const LENGTH: usize;
    /// What its name stands for.
    type Handle;
    /// The name of this array.
    fn handle(array: ArrayId) -> Self::Handle;
}

impl<T: KernelData, const N: usize> ArrayType for [T; N] {
    type Element = T;
    const LENGTH: usize = N;
    type Handle = ArrayMut<T, N>;

    fn handle(array: ArrayId) -> ArrayMut<T, N> {
        ArrayMut::new(array)
    }
}

/// A type that a `#[shared]` variable can have.
#[diagnostic::on_unimplemented(
    message = "a `#[shared]` variable is an array, not `{Self}`",
    label = "not an array",
    note = "one number is an array of one: `#[shared] let mut x: [f32; 1];`"
)]
pub trait SharedArray {
    /// The elements' type.
    type Element: MemoryElement;
    /// Number of elements.
    const LENGTH: usize;
    /// What the name of one that is read stands for.
    type Handle: From<Region>;
    /// What the name of one that is written stands for.
    type HandleMut: From<Region>;
}

impl<T: MemoryElement, const N: usize> SharedArray for [T; N] {
    type Element = T;
    const LENGTH: usize = N;
    type Handle = T::Array<N>;
    type HandleMut = T::ArrayMut<N>;
}

impl Builder {
    /// The array of `let name = [a, b, ..];` or `let name = [value; N];`, whose elements [`Builder::element`] or
    /// [`Builder::fill`] set next.
    #[inline(never)]
    pub fn array<A: ArrayType>(&self, at: u32, name: &'static str) -> A::Handle {
        A::handle(self.declare_arrays::<A::Element>(self.span(at), name, A::LENGTH, ArraySpace::Local, false))
    }

    /// As [`Builder::array`], where the user wrote the type, too.
    #[inline(never)]
    pub fn array_as<W, A: ArrayType>(&self, at: u32, name: &'static str) -> A::Handle
    where
        Types: Same<A, W>,
    {
        self.array::<A>(at, name)
    }

    /// The array of a `let` without `mut`.
    #[inline(never)]
    pub fn read_only<T, const N: usize>(&self, array: ArrayMut<T, N>) -> ArrayRef<T, N> {
        ArrayRef::new(array.region)
    }

    /// `#[shared] let name: [T; N];`
    #[inline(never)]
    pub fn shared<A: SharedArray>(&self, at: u32, name: &'static str) -> A::Handle {
        self.shared_array::<A>(at, name).into()
    }

    /// `#[shared] let mut name: [T; N];`
    #[inline(never)]
    pub fn shared_mut<A: SharedArray>(&self, at: u32, name: &'static str) -> A::HandleMut {
        self.shared_array::<A>(at, name).into()
    }

    fn shared_array<A: SharedArray>(&self, at: u32, name: &'static str) -> Region {
        let (span, atomic) = (self.span(at), <A::Element as MemoryElement>::Access::ATOMIC);
        let first = self.declare_arrays::<<A::Element as MemoryElement>::Data>(
            span,
            name,
            A::LENGTH,
            ArraySpace::Shared,
            atomic,
        );
        first.into()
    }

    /// The value of one element of a new array.
    #[inline(never)]
    pub fn element<T: KernelData>(&self, at: u32, array: impl ReadSlice<T>, index: u32, value: impl IntoValue<T>) {
        let span = self.span(at);
        let value = self.operand(span, value);
        self.set_element::<T>(span, array.region().memory, Operand::constant(index as usize), value);
    }

    /// The value of all elements of a new array.
    #[inline(never)]
    pub fn fill<T: KernelData, A: ReadSlice<T>>(&self, at: u32, array: A, value: impl IntoValue<T>) {
        let span = self.span(at);
        let value = self.keep(at, value).operand(self);
        let region = array.region();
        let (array, length) = (region.memory, self.length(span, region, A::per_element()));
        let Some(number) = length.as_constant().map(|length| length.bits) else { return };
        if number <= UNROLLED {
            for index in 0..number {
                self.set_element::<T>(span, array, Operand::constant(index as usize), value);
            }
            return;
        }
        self.each_index(span, length, |index| self.set_element::<T>(span, array, index, value));
    }

    fn set_element<T: KernelData>(&self, span: Span, array: Memory, index: Operand, value: Operand) {
        self.store_all::<T>(span, StoreAccess::Plain, array, index, value);
    }

    /// One array for each column; the first.
    pub(super) fn declare_arrays<T: KernelData>(
        &self,
        span: Span,
        name: &'static str,
        length: usize,
        space: ArraySpace,
        atomic: bool,
    ) -> ArrayId {
        let first = ArrayId(self.state.borrow().program.arrays.len() as u32);
        T::columns("", &mut |column| {
            let name = if column.path.is_empty() { name.into() } else { format!("{name}{}", column.path).into() };
            let row = column.length.unwrap_or(1);
            let length = length.saturating_mul(row as usize);
            let array = self.declare_array(span, name, column.ty, length, space, atomic);
            self.state.borrow_mut().program.arrays[array.0 as usize].row = row;
        });
        if T::COLUMNS == 0 {
            // Something has the name.
            self.declare_array(span, name.into(), ScalarType::U8, length, space, atomic);
            self.no_scalars::<T>(span, name);
        }
        first
    }

    pub(super) fn declare_array(
        &self,
        span: Span,
        name: Cow<'static, str>,
        element: ScalarType,
        length: usize,
        space: ArraySpace,
        atomic: bool,
    ) -> ArrayId {
        let mut state = self.state.borrow_mut();
        let function = state.function;
        let program = &mut state.program;
        let known = u32::try_from(length);
        if known.is_err() {
            let message = format!("the array `{name}` has {length} elements, which no device can hold: pass a slice");
            program.problems.push((span, message));
        }
        // What is too long is never made: the program has a problem, and so is not valid.
        let length = known.unwrap_or(0);
        let id = ArrayId(program.arrays.len() as u32);
        program.arrays.push(Array { name, element, length, row: 1, space, atomic, function, span });
        id
    }
}
