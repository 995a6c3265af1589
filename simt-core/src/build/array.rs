//! Arrays that a kernel declares: each thread's own, and the block's (`#[shared]`).

use super::arena::Operand;
use super::layout::{HasLayout, HasStorage, Storage};
use super::tuple::Leaves;
use super::{
    ArrayMut, ArrayRef, Builder, Composite, ElementAccess, IntoValue, KernelData, Let, MemoryElement, ReadSlice,
    Region, Same, Types, Value,
};
use crate::program::{Array, ArrayId, ArraySpace, LoadAccess, Memory, StoreAccess};
use crate::scalar::ScalarType;
use crate::source::Span;
use std::borrow::Cow;

/// An array `[value; N]` of at most so many elements is filled by that many stores, a longer one by a loop.
const UNROLLED: u64 = 8;

/// The most elements that a closure makes, whose body is built for each.
const MADE: usize = 256;

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
    message = "a `#[shared]` variable is no `{Self}` in a kernel",
    label = "neither a value nor an array"
)]
pub trait SharedArray {
    /// The elements' type.
    type Element: MemoryElement;
    /// Number of elements; none if the launch gives it.
    const LENGTH: Option<usize>;
    /// What the name of one that is read stands for.
    type Handle: From<Region>;
    /// What the name of one that is written stands for.
    type HandleMut: From<Region>;
}

impl<T: MemoryElement, const N: usize> SharedArray for [T; N] {
    type Element = T;
    const LENGTH: Option<usize> = Some(N);
    type Handle = T::Array<N>;
    type HandleMut = T::ArrayMut<N>;
}

/// An array whose length the launch gives is a slice to the kernel.
impl<T: MemoryElement> SharedArray for [T] {
    type Element = T;
    const LENGTH: Option<usize> = None;
    type Handle = T::Slice;
    type HandleMut = T::SliceMut;
}

impl Builder {
    /// The array of `let name = [a, b, ..];` or `let name = [value; N];`, whose elements [`Builder::element`] or
    /// [`Builder::fill`] set next.
    #[inline(never)]
    pub fn array<A: ArrayType>(&self, at: u32, name: &'static str) -> A::Handle {
        A::handle(self.declare_arrays(A::Element::STORAGE, self.span(at), name, A::LENGTH, ArraySpace::Local, false))
    }

    /// As [`Builder::array`], where the user wrote the type, too.
    #[inline(never)]
    pub fn array_as<W, A: ArrayType>(&self, at: u32, name: &'static str) -> A::Handle
    where
        Types: Same<A, W>,
    {
        self.array::<A>(at, name)
    }

    /// `let mut name: [T; N];`: an array that has no values until they are written.
    #[inline(never)]
    pub fn unset_array<A: ArrayType>(&self, at: u32, name: &'static str) -> A::Handle {
        let first = self.declare_arrays(A::Element::STORAGE, self.span(at), name, A::LENGTH, ArraySpace::Local, false);
        let arrays = &mut self.state.borrow_mut().program.arrays;
        arrays.iter_mut().skip(first.0 as usize).for_each(|array| array.unset = true);
        A::handle(first)
    }

    /// The array of a `let` without `mut`.
    #[inline(never)]
    pub fn read_only<T, const N: usize>(&self, array: ArrayMut<T, N>) -> ArrayRef<T, N> {
        ArrayRef::new(array.region)
    }

    /// `#[shared] let name: [T; N];`, and `[T]` of as many elements as the launch gives it
    #[inline(never)]
    pub fn shared<A: SharedArray + ?Sized>(&self, at: u32, name: &'static str) -> A::Handle {
        self.shared_array::<A>(at, name, A::LENGTH).into()
    }

    /// `#[shared] let mut name: [T; N];`, and `[T]`
    #[inline(never)]
    pub fn shared_mut<A: SharedArray + ?Sized>(&self, at: u32, name: &'static str) -> A::HandleMut {
        self.shared_array::<A>(at, name, A::LENGTH).into()
    }

    /// `#[shared] let name: [T; 2 * N];`, which is no type of Rust's: a slice to the kernel.
    #[inline(never)]
    pub fn shared_of<T: MemoryElement>(&self, at: u32, name: &'static str, length: usize) -> T::Slice {
        self.shared_array::<[T]>(at, name, Some(length)).into()
    }

    /// The same of one that is written.
    #[inline(never)]
    pub fn shared_of_mut<T: MemoryElement>(&self, at: u32, name: &'static str, length: usize) -> T::SliceMut {
        self.shared_array::<[T]>(at, name, Some(length)).into()
    }

    fn shared_array<A: SharedArray + ?Sized>(&self, at: u32, name: &'static str, length: Option<usize>) -> Region {
        let (span, atomic) = (self.span(at), <A::Element as MemoryElement>::Access::ATOMIC);
        let first = self.declare_arrays(
            <<A::Element as MemoryElement>::Data>::STORAGE,
            span,
            name,
            length.unwrap_or(0),
            ArraySpace::Shared,
            atomic,
        );
        if length.is_none() {
            self.sized_by_launch(span, name, first);
        }
        first.into()
    }

    /// Says of the arrays from the first on that the launch gives their length.
    fn sized_by_launch(&self, span: Span, name: &'static str, first: ArrayId) {
        let program = &mut self.state.borrow_mut().program;
        let (others, own) = program.arrays.split_at_mut(first.0 as usize);
        own.iter_mut().for_each(|array| array.dynamic = true);
        if let Some(other) = others.iter().find(|array| array.dynamic) {
            let other = other.name.split('.').next().unwrap_or_default();
            let message = format!(
                "a launch gives the length of one array, and both `{other}` and `{name}` have none: write `[T; N]` for one of \
                 them, or one array and subslices of it"
            );
            program.problems.push((span, message));
        }
    }

    /// The value of one element of a new array.
    #[inline(never)]
    pub fn element<T: KernelData>(&self, at: u32, array: impl ReadSlice<T>, index: u32, value: impl IntoValue<T>) {
        let span = self.span(at);
        let value = self.operand(span, value);
        self.set_element(T::STORAGE, span, array.region().memory, Operand::constant(index as usize), value);
    }

    /// The value of all elements of a new array.
    #[inline(never)]
    pub fn fill<T: KernelData, A: ReadSlice<T>>(&self, at: u32, array: A, value: impl IntoValue<T>) {
        let span = self.span(at);
        let value = self.keep(at, value).operand(self);
        let region = array.region();
        let (array, length) = (region.memory, self.length(span, region, A::per_element()));
        self.fill_array(T::STORAGE, span, (array, length), value);
    }

    fn fill_array(&self, storage: &Storage, span: Span, (array, length): (Memory, Operand), value: Operand) {
        let Some(number) = length.as_constant().map(|length| length.bits) else { return };
        if number <= UNROLLED {
            for index in 0..number {
                self.set_element(storage, span, array, Operand::constant(index as usize), value);
            }
            return;
        }
        self.each_index(span, length, |index| self.set_element(storage, span, array, index, value));
    }

    /// All elements of an array, to be loaded where the value is used.
    pub(super) fn array_value<T: KernelData, const N: usize>(&self, span: Span, region: Region) -> Value<[T; N]> {
        Value::new(self.all_elements(T::STORAGE, span, region, N))
    }

    fn all_elements(&self, storage: &Storage, span: Span, region: Region, length: usize) -> Operand {
        let mut leaves = Leaves::new();
        for index in 0..length {
            let index = self.moved(span, region, Operand::constant(index));
            let element = self.load_all(storage, span, LoadAccess::Plain, region.memory, index);
            self.append(storage.layout, &mut leaves, element);
        }
        self.whole(&leaves)
    }

    /// Stores all elements of an array, which are evaluated before the first is stored.
    pub(super) fn put_array<T: KernelData, const N: usize>(&self, span: Span, region: Region, value: Operand) {
        if value == Operand::Never {
            return;
        }
        let leaves = self.pin_leaves(<[T; N]>::LAYOUT, span, &self.leaves(<[T; N]>::LAYOUT, value));
        for (index, element) in leaves.chunks(T::COUNT.max(1) as usize).enumerate() {
            let index = self.moved(span, region, Operand::constant(index));
            self.store_all(T::STORAGE, span, StoreAccess::Plain, region.memory, index, self.whole(element));
        }
    }

    /// `std::array::from_fn(make)`: each element is built, in order.
    #[inline(never)]
    pub fn array_from<T: Composite, const N: usize>(
        &self,
        at: u32,
        mut make: impl FnMut(Let<usize>) -> Value<T>,
    ) -> Value<[T; N]> {
        let span = self.span(at);
        if N > MADE {
            let message =
                format!("an array of {N} elements is made by a loop: `from_fn` and `map` make at most {MADE}");
            self.problem(span, message);
        }
        let mut leaves = Leaves::new();
        for index in 0..N.min(MADE) {
            let element = make(Let::new(self, Operand::constant(index)));
            self.append(T::LAYOUT, &mut leaves, self.pinned_value(T::LAYOUT, span, element.operand));
        }
        leaves.extend_from_slice(&<[T; N]>::LAYOUT.nothing()[leaves.len()..]);
        Value::new(self.whole(&leaves))
    }

    /// `array.map(make)`
    #[inline(never)]
    pub fn array_map<T: Composite, U: Composite, const N: usize>(
        &self,
        at: u32,
        array: impl IntoValue<[T; N]>,
        mut make: impl FnMut(Let<T>) -> Value<U>,
    ) -> Value<[U; N]> {
        let array = self.keep::<[T; N]>(at, array).operand(self);
        let (leaves, count) = (self.leaves(<[T; N]>::LAYOUT, array), T::COUNT as usize);
        let mut elements = leaves.chunks(count.max(1));
        self.array_from(at, |_| make(Let::new(self, self.whole(elements.next().unwrap_or_default()))))
    }

    /// An array of the thread's, whose elements have these leaves.
    pub(super) fn declare_filled(
        &self,
        storage: &Storage,
        span: Span,
        name: &str,
        length: usize,
        leaves: &[Operand],
    ) -> Memory {
        let array = Memory::from(self.declare_arrays(storage, span, name, length, ArraySpace::Local, false));
        for (index, element) in leaves.chunks(storage.layout.count.max(1) as usize).enumerate() {
            let index = Operand::constant(index);
            self.store_all(storage, span, StoreAccess::Plain, array, index, self.whole(element));
        }
        array
    }

    fn set_element(&self, storage: &Storage, span: Span, array: Memory, index: Operand, value: Operand) {
        self.store_all(storage, span, StoreAccess::Plain, array, index, value);
    }

    /// One array for each column; the first.
    pub(super) fn declare_arrays(
        &self,
        storage: &Storage,
        span: Span,
        name: &str,
        length: usize,
        space: ArraySpace,
        atomic: bool,
    ) -> ArrayId {
        let first = ArrayId(self.state.borrow().program.arrays.len() as u32);
        storage.show_columns(|column| {
            let name = format!("{name}{}", column.path).into();
            let row = column.length.unwrap_or(1);
            let length = length.saturating_mul(row as usize);
            let array = self.declare_array(span, name, column.ty, length, space, atomic);
            self.state.borrow_mut().program.arrays[array.0 as usize].row = row;
        });
        if storage.width == 0 {
            // Something has the name.
            self.declare_array(span, name.to_owned().into(), ScalarType::U8, length, space, atomic);
            self.no_scalars(storage.layout, span, name);
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
        program.arrays.push(Array { atomic, function, span, ..Array::new(name, element, length, space) });
        id
    }
}
