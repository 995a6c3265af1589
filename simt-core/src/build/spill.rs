//! Fields of variables that are arrays: a variable for each element, and memory where an index is not known.

use super::arena::{Leaf, Operand};
use super::layout::{HasLayout, HasStorage, Layout, Storage};
use super::record::Part;
use super::{ArrayRef, Builder, Composite, IntoIndex, IntoValue, KernelData, Mutable, Place, SliceMut, Value};
use crate::program::{ArrayId, ArraySpace, LoadAccess, Memory, StoreAccess, VarId};
use crate::scalar::ScalarType;
use crate::source::Span;
use std::borrow::Cow;
use std::fmt;

/// A field of a variable that has elements: an array, or a reference to memory.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no elements in a kernel",
    label = "neither an array nor a slice",
    note = "arrays, and references to slices, have elements"
)]
pub trait FieldMemory: KernelData {
    /// The memory that is read.
    type Memory;
    /// The memory that is written, too.
    type MemoryMut: Copy;
    /// What holds it.
    type Held: Copy;
    /// The memory of a value.
    fn memory(k: &Builder, span: Span, value: Value<Self>) -> Self::Memory;
    /// The memory of variables, of which this is the first.
    fn held(k: &Builder, span: Span, place: Mutable<Self>) -> Self::Held;
    /// The memory that is held.
    fn memory_mut(held: Self::Held) -> Self::MemoryMut;
    /// The variables have what the memory holds.
    fn restore(k: &Builder, span: Span, held: Self::Held);
    /// The memory of variables, for references that stay.
    fn lasting(k: &Builder, span: Span, place: Mutable<Self>) -> Self::MemoryMut;
    /// How many elements there are.
    fn length(k: &Builder, span: Span, value: impl FnOnce() -> Value<Self>) -> Value<usize>;
}

/// A field of a variable whose elements are values.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no elements in a kernel",
    label = "neither an array nor a slice",
    note = "arrays, and references to slices, have elements"
)]
pub trait FieldElements: FieldMemory {
    /// The elements' type.
    type Element: KernelData;
    /// An element of a value.
    fn element(k: &Builder, span: Span, value: Value<Self>, index: Value<usize>) -> Value<Self::Element>;
    /// An element of variables gets the value that `new` makes of its old one.
    fn change(
        k: &Builder,
        span: Span,
        place: Mutable<Self>,
        index: Value<usize>,
        new: impl FnOnce(Value<Self::Element>) -> Value<Self::Element>,
    );
}

/// A field that is memory until [`Builder::restore`].
pub struct Lasting<F: FieldMemory>(F::Held);

impl<F: FieldMemory> Clone for Lasting<F> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<F: FieldMemory> Copy for Lasting<F> {}
impl<F: FieldMemory> fmt::Debug for Lasting<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lasting").finish_non_exhaustive()
    }
}

/// A field that is memory for a while.
#[derive(Debug)]
pub struct Spilled<U> {
    array: SliceMut<U>,
    first: VarId,
    length: usize,
}

// Not derived: it is `Copy` whatever its elements are.
impl<U> Clone for Spilled<U> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<U> Copy for Spilled<U> {}

impl<U: KernelData, const N: usize> FieldMemory for [U; N] {
    type Memory = ArrayRef<U, N>;
    type MemoryMut = SliceMut<U>;
    type Held = Spilled<U>;

    fn memory(k: &Builder, span: Span, value: Value<Self>) -> ArrayRef<U, N> {
        k.spill_leaves::<U, N>(span, &k.leaves(Self::LAYOUT, value.operand))
    }

    fn lasting(k: &Builder, span: Span, place: Mutable<Self>) -> SliceMut<U> {
        SliceMut::new(k.mirror(U::STORAGE, span, place.var, N))
    }

    fn held(k: &Builder, span: Span, place: Mutable<Self>) -> Spilled<U> {
        let leaves = k.leaves(Self::LAYOUT, k.variables(place.var, Self::COUNT));
        let array = SliceMut::new(k.spilled(U::STORAGE, span, N, &leaves));
        Spilled { array, first: place.var, length: N }
    }

    fn memory_mut(held: Spilled<U>) -> SliceMut<U> {
        held.array
    }

    fn restore(k: &Builder, span: Span, held: Spilled<U>) {
        k.restore_all(U::STORAGE, span, (held.array.region.memory, held.length), held.first);
    }

    fn length(_: &Builder, _: Span, _: impl FnOnce() -> Value<Self>) -> Value<usize> {
        Value::new(Operand::constant(N))
    }
}

impl<U: KernelData, const N: usize> FieldElements for [U; N] {
    type Element = U;

    fn element(k: &Builder, span: Span, value: Value<Self>, index: Value<usize>) -> Value<U> {
        let (leaves, index) = (k.leaves(Self::LAYOUT, value.operand), index.operand);
        if let Some(index) = index.as_constant().filter(|index| index.bits < N as u64) {
            let first = index.bits as usize * U::COUNT as usize;
            return Value::new(k.whole(&leaves[first..first + U::COUNT as usize]));
        }
        let index = k.pin(span, ScalarType::Usize, index);
        let array = k.spilled(U::STORAGE, span, N, &leaves);
        Value::new(k.load_all(U::STORAGE, span, LoadAccess::Plain, array, index))
    }

    fn change(
        k: &Builder,
        span: Span,
        place: Mutable<Self>,
        index: Value<usize>,
        new: impl FnOnce(Value<U>) -> Value<U>,
    ) {
        let (first, index) = (place.var, index.operand);
        if let Some(index) = index.as_constant().filter(|index| index.bits < N as u64) {
            let var = VarId(first.0 + index.bits as u32 * U::COUNT);
            let value = new(Value::new(k.variables(var, U::COUNT)));
            return k.replace(U::LAYOUT, span, var, value.operand);
        }
        let index = k.pin(span, ScalarType::Usize, index);
        let array = k.spilled(U::STORAGE, span, N, &k.leaves(Self::LAYOUT, k.variables(first, Self::COUNT)));
        let value = new(Value::new(k.load_all(U::STORAGE, span, LoadAccess::Plain, array, index)));
        k.store_all(U::STORAGE, span, StoreAccess::Plain, array, index, value.operand);
        k.restore_all(U::STORAGE, span, (array, N), first);
    }
}

impl Builder {
    /// `value.name[index]` of a variable.
    ///
    /// An index that is a constant names a variable. Otherwise a field that is an array is copied to memory first, and this
    /// emits it.
    #[inline(never)]
    pub fn get_element<T: KernelData, F: FieldElements>(
        &self,
        at: u32,
        value: impl IntoValue<T>,
        path: fn(Part<T>) -> Part<F>,
        index: impl IntoIndex,
    ) -> Value<F::Element> {
        let span = self.span(at);
        let field = self.get(at, value, path);
        let index = self.operand(span, index);
        F::element(self, span, field, Value::new(index))
    }

    /// `place.name[index] = value;`
    ///
    /// As for [`Builder::get_element`], by way of an array where the index is no constant.
    #[inline(never)]
    pub fn put_element<T: KernelData, F: FieldElements>(
        &self,
        at: u32,
        place: impl Place<T>,
        path: fn(Part<T>) -> Part<F>,
        value: impl IntoValue<F::Element>,
        index: impl IntoIndex,
    ) {
        let span = self.span(at);
        let value = self.operand(span, value);
        self.change_element(at, place, path, index, |_| Value::new(value));
    }

    /// `place.name[index] op= value;`, where `new` makes the element's new value of its old one.
    #[inline(never)]
    pub fn change_element<T: KernelData, F: FieldElements>(
        &self,
        at: u32,
        place: impl Place<T>,
        path: fn(Part<T>) -> Part<F>,
        index: impl IntoIndex,
        new: impl FnOnce(Value<F::Element>) -> Value<F::Element>,
    ) {
        let span = self.span(at);
        let index = self.operand(span, index);
        F::change(self, span, self.get_place(place, path), Value::new(index), new);
    }

    /// `value.name` as memory that is read.
    #[inline(never)]
    pub fn spill<T: KernelData, F: FieldMemory>(
        &self,
        at: u32,
        value: impl IntoValue<T>,
        path: fn(Part<T>) -> Part<F>,
    ) -> F::Memory {
        let field = self.get(at, value, path);
        F::memory(self, self.span(at), field)
    }

    pub(super) fn spill_leaves<U: KernelData, const N: usize>(&self, span: Span, leaves: &[Operand]) -> ArrayRef<U, N> {
        ArrayRef::new(self.spilled(U::STORAGE, span, N, leaves))
    }

    /// `place.name` as memory that is written, too, until [`Builder::restore`].
    #[inline(never)]
    pub fn spill_place<T: KernelData, F: FieldMemory>(
        &self,
        at: u32,
        place: impl Place<T>,
        path: fn(Part<T>) -> Part<F>,
    ) -> Lasting<F> {
        let field = self.get_place(place, path);
        Lasting(F::held(self, self.span(at), field))
    }

    /// The memory.
    #[inline(never)]
    pub fn spilled_array<F: FieldMemory>(&self, spilled: Lasting<F>) -> F::MemoryMut {
        F::memory_mut(spilled.0)
    }

    /// The variables have what the memory holds from here on.
    #[inline(never)]
    pub fn restore<F: FieldMemory>(&self, at: u32, spilled: Lasting<F>) {
        F::restore(self, self.span(at), spilled.0);
    }

    /// `value.name.len()`, of which no element is evaluated.
    #[inline(never)]
    pub fn field_len<T: KernelData, F: FieldMemory>(
        &self,
        at: u32,
        value: impl IntoValue<T>,
        path: fn(Part<T>) -> Part<F>,
    ) -> Value<usize> {
        F::length(self, self.span(at), || self.get(at, value, path))
    }

    fn restore_all(&self, storage: &Storage, span: Span, (array, length): (Memory, usize), first: VarId) {
        for index in 0..length {
            let element = self.load_all(storage, span, LoadAccess::Plain, array, Operand::constant(index));
            self.set_all(storage.layout, span, VarId(first.0 + index as u32 * storage.layout.count), element);
        }
    }

    /// An array that holds the leaves.
    pub(super) fn spilled(&self, storage: &'static Storage, span: Span, length: usize, leaves: &[Operand]) -> Memory {
        if let Some(array) = self.spilled_before(storage, length, leaves) {
            self.fill_copy(storage, span, array, leaves);
            return array.into();
        }
        let name = self.name_of(storage.layout, leaves);
        let array = self.declare_arrays(storage, span, &name, length, ArraySpace::Local, false);
        self.fill_copy(storage, span, array, leaves);
        self.note_spilled(storage, array, length, leaves);
        array.into()
    }

    /// Fills arrays from the leaves of their elements. Of variables, what they are copies of is noted.
    pub(super) fn fill_copy(&self, storage: &Storage, span: Span, array: ArrayId, leaves: &[Operand]) {
        let count = storage.layout.count;
        let variable = |leaf: &Operand| match *leaf {
            Operand::Leaf(Leaf::Var(var)) if !self.is_base_variable(var) => Some(var),
            _ => None,
        };
        let variables: Option<Vec<VarId>> = leaves.iter().map(variable).collect();
        let Some(variables) = variables.filter(|_| storage.width > 0) else {
            for (index, element) in leaves.chunks(count.max(1) as usize).enumerate() {
                let index = Operand::constant(index);
                self.store_all(storage, span, StoreAccess::Plain, array.into(), index, self.whole(element));
            }
            return;
        };
        let columns = storage.columns();
        let mut copied: Vec<Vec<VarId>> = vec![Vec::new(); columns.len()];
        for element in variables.chunks(count as usize) {
            let mut leaves = element.iter();
            storage.cells(|column, _| copied[column as usize].extend(leaves.next()));
        }
        for (number, variables) in (0..).zip(copied) {
            let (array, (ty, _)) = (ArrayId(array.0 + number), columns[number as usize]);
            for (index, &var) in variables.iter().enumerate() {
                let (index, value) = (Operand::constant(index), Operand::var(var));
                self.store_element(span, StoreAccess::Plain, array.into(), ty, index, value);
            }
            self.note_copy(array, variables);
        }
    }

    /// The user's name of a field that is an array, from that of its first element.
    pub(super) fn name_of(&self, layout: &Layout, leaves: &[Operand]) -> Cow<'static, str> {
        let state = self.state.borrow();
        let name = match leaves.first() {
            Some(Operand::Leaf(Leaf::Var(first))) => state.program.variable(*first).name.clone(),
            Some(Operand::Leaf(Leaf::Param(first))) => Some(state.program.param(*first).name.clone()),
            _ => None,
        };
        let mut paths = Vec::new();
        layout.show(|path, _| paths.push(format!(".0{path}")));
        let path = paths.first().map_or("", String::as_str);
        name.map_or(Cow::Borrowed("field"), |name| match name.strip_suffix(path) {
            Some(field) => Cow::Owned(field.to_owned()),
            None => name,
        })
    }
}
