//! Fields of variables that are arrays: a variable for each element, and memory where an index is not known.

use super::arena::{Leaf, Operand};
use super::record::Part;
use super::{ArrayRef, Builder, Composite, IntoValue, KernelData, Place, SliceMut, SliceRef, Value};
use crate::program::{ArraySpace, LoadAccess, StoreAccess, VarId};
use crate::scalar::ScalarType;
use crate::source::Span;
use std::borrow::Cow;

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

impl Builder {
    /// `value.name[index]` of a variable.
    ///
    /// An index that is a constant names a variable. Otherwise the field is copied to an array first, and this emits it.
    #[inline(never)]
    pub fn get_element<T: KernelData, U: KernelData, const N: usize>(
        &self,
        at: u32,
        value: impl IntoValue<T>,
        path: impl FnOnce(Part<T>) -> Part<[U; N]>,
        index: impl IntoValue<usize>,
    ) -> Value<U> {
        let span = self.span(at);
        let field = self.get(at, value, path);
        let index = self.operand(span, index);
        let leaves = self.leaves::<[U; N]>(field.operand);
        if let Some(index) = index.as_constant().filter(|index| index.bits < N as u64) {
            let first = index.bits as usize * U::COUNT as usize;
            return Value::new(self.whole(&leaves[first..first + U::COUNT as usize]));
        }
        let index = self.pin(span, ScalarType::Usize, index);
        let array = self.spilled::<U, N>(span, &leaves);
        self.load(at, array, Value::new(index))
    }

    /// `place.name[index] = value;`
    ///
    /// As for [`Builder::get_element`], by way of an array where the index is no constant.
    #[inline(never)]
    pub fn put_element<T: KernelData, U: KernelData, const N: usize>(
        &self,
        at: u32,
        place: impl Place<T>,
        path: impl FnOnce(Part<T>) -> Part<[U; N]>,
        value: impl IntoValue<U>,
        index: impl IntoValue<usize>,
    ) {
        let span = self.span(at);
        let value = self.operand(span, value);
        self.change_element(at, place, path, index, |_| Value::new(value));
    }

    /// `place.name[index] op= value;`, where `new` makes the element's new value of its old one.
    #[inline(never)]
    pub fn change_element<T: KernelData, U: KernelData, const N: usize>(
        &self,
        at: u32,
        place: impl Place<T>,
        path: impl FnOnce(Part<T>) -> Part<[U; N]>,
        index: impl IntoValue<usize>,
        new: impl FnOnce(Value<U>) -> Value<U>,
    ) {
        let span = self.span(at);
        let index = self.operand(span, index);
        let first = self.get_place(place, path).var.0;
        if let Some(index) = index.as_constant().filter(|index| index.bits < N as u64) {
            let var = VarId(first + index.bits as u32 * U::COUNT);
            let value = new(Value::new(self.variables(var, U::COUNT)));
            return self.replace::<U>(span, var, value.operand);
        }
        let index = self.pin(span, ScalarType::Usize, index);
        let spilled = self.spill_variables::<U, N>(span, VarId(first));
        let array = spilled.array.region.memory;
        let value = new(self.load_all::<U>(span, LoadAccess::Plain, array, index));
        self.store_all::<U>(span, StoreAccess::Plain, array, index, value.operand);
        self.restore_at(span, spilled);
    }

    /// `value.name` as memory that is read.
    #[inline(never)]
    pub fn spill<T: KernelData, U: KernelData, const N: usize>(
        &self,
        at: u32,
        value: impl IntoValue<T>,
        path: impl FnOnce(Part<T>) -> Part<[U; N]>,
    ) -> SliceRef<U> {
        let leaves = self.leaves::<[U; N]>(self.get(at, value, path).operand);
        SliceRef::new(self.spilled::<U, N>(self.span(at), &leaves).region)
    }

    pub(super) fn spill_leaves<U: KernelData, const N: usize>(&self, span: Span, leaves: &[Operand]) -> ArrayRef<U, N> {
        ArrayRef::new(self.spilled::<U, N>(span, leaves).region)
    }

    /// `place.name` as memory that is written, too, until [`Builder::restore`].
    #[inline(never)]
    pub fn spill_place<T: KernelData, U: KernelData, const N: usize>(
        &self,
        at: u32,
        place: impl Place<T>,
        path: impl FnOnce(Part<T>) -> Part<[U; N]>,
    ) -> Spilled<U> {
        let first = self.get_place(place, path).var;
        self.spill_variables::<U, N>(self.span(at), first)
    }

    /// The memory.
    #[inline(never)]
    pub fn spilled_array<U: KernelData>(&self, spilled: Spilled<U>) -> SliceMut<U> {
        spilled.array
    }

    /// The variables have what the memory holds from here on.
    #[inline(never)]
    pub fn restore<U: KernelData>(&self, at: u32, spilled: Spilled<U>) {
        self.restore_at(self.span(at), spilled);
    }

    /// `value.name.len()`, of which nothing is evaluated.
    #[inline(never)]
    pub fn field_len<T: KernelData, U: KernelData, const N: usize>(
        &self,
        _at: u32,
        _value: impl IntoValue<T>,
        _path: impl FnOnce(Part<T>) -> Part<[U; N]>,
    ) -> Value<usize> {
        Value::new(Operand::constant(N))
    }

    fn spill_variables<U: KernelData, const N: usize>(&self, span: Span, first: VarId) -> Spilled<U> {
        let leaves = self.leaves::<[U; N]>(self.variables(first, N as u32 * U::COUNT));
        Spilled { array: self.spilled::<U, N>(span, &leaves), first, length: N }
    }

    fn restore_at<U: KernelData>(&self, span: Span, spilled: Spilled<U>) {
        let array = spilled.array.region.memory;
        for index in 0..spilled.length {
            let element = self.load_all::<U>(span, LoadAccess::Plain, array, Operand::constant(index));
            self.set_all::<U>(span, VarId(spilled.first.0 + index as u32 * U::COUNT), element.operand);
        }
    }

    /// An array that holds the leaves.
    fn spilled<U: KernelData, const N: usize>(&self, span: Span, leaves: &[Operand]) -> SliceMut<U> {
        let name = self.name_of::<U>(leaves);
        let array = self.declare_arrays::<U>(span, &name, N, ArraySpace::Local, false);
        for (index, element) in leaves.chunks(U::COUNT.max(1) as usize).enumerate() {
            let index = Operand::constant(index);
            self.store_all::<U>(span, StoreAccess::Plain, array.into(), index, self.whole(element));
        }
        SliceMut::new(array)
    }

    /// The user's name of a field that is an array, from that of its first element.
    fn name_of<U: Composite>(&self, leaves: &[Operand]) -> Cow<'static, str> {
        let state = self.state.borrow();
        let name = match leaves.first() {
            Some(Operand::Leaf(Leaf::Var(first))) => state.program.variable(*first).name.clone(),
            Some(Operand::Leaf(Leaf::Param(first))) => Some(state.program.param(*first).name.clone()),
            _ => None,
        };
        let mut paths = Vec::new();
        U::leaves(".0", &mut |path, _| paths.push(path.to_owned()));
        let path = paths.first().map_or("", String::as_str);
        name.map_or(Cow::Borrowed("field"), |name| match name.strip_suffix(path) {
            Some(field) => Cow::Owned(field.to_owned()),
            None => name,
        })
    }
}
