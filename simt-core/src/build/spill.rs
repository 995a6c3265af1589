//! Fields of variables that are arrays: a variable for each element, and memory where an index is not known.

use super::arena::{Leaf, Operand};
use super::record::Part;
use super::{Builder, IntoValue, KernelData, Place, SliceMut, SliceRef, Value};
use crate::program::{ArraySpace, LoadAccess, StoreAccess, VarId};
use crate::scalar::{Scalar, ScalarType};
use crate::source::Span;
use std::borrow::Cow;

/// A field that is memory for a while.
#[derive(Clone, Copy, Debug)]
pub struct Spilled<U> {
    array: SliceMut<U>,
    first: VarId,
    length: usize,
}

impl Builder {
    /// `value.name[index]` of a variable.
    ///
    /// An index that is a constant names a variable. Otherwise the field is copied to an array first, and this emits it.
    #[inline(never)]
    pub fn get_element<T: KernelData, U: Scalar, const N: usize>(
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
        if let Some(leaf) = index.as_constant().and_then(|index| leaves.get(index.bits as usize)) {
            return Value::new(*leaf);
        }
        let index = self.pin(span, ScalarType::Usize, index);
        let array = self.spilled(span, &leaves);
        self.load(at, array, Value::new(index))
    }

    /// `place.name[index] = value;`
    ///
    /// As for [`Builder::get_element`], by way of an array where the index is no constant.
    #[inline(never)]
    pub fn put_element<T: KernelData, U: Scalar, const N: usize>(
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
    pub fn change_element<T: KernelData, U: Scalar, const N: usize>(
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
            let var = VarId(first + index.bits as u32);
            let value = new(Value::new(Operand::var(var)));
            return self.set(span, var, U::TYPE, value.operand);
        }
        let index = self.pin(span, ScalarType::Usize, index);
        let spilled = self.spill_variables::<U, N>(span, VarId(first));
        let array = spilled.array.region.memory;
        let value = new(Value::new(self.load_element(span, LoadAccess::Plain, array, U::TYPE, index)));
        self.store_element(span, StoreAccess::Plain, array, U::TYPE, index, value.operand);
        self.restore_at(span, spilled);
    }

    /// `value.name` as memory that is read.
    #[inline(never)]
    pub fn spill<T: KernelData, U: Scalar, const N: usize>(
        &self,
        at: u32,
        value: impl IntoValue<T>,
        path: impl FnOnce(Part<T>) -> Part<[U; N]>,
    ) -> SliceRef<U> {
        let leaves = self.leaves::<[U; N]>(self.get(at, value, path).operand);
        SliceRef::new(self.spilled::<U>(self.span(at), &leaves).region)
    }

    pub(super) fn spill_leaves<U: Scalar>(&self, span: Span, leaves: &[Operand]) -> SliceRef<U> {
        SliceRef::new(self.spilled::<U>(span, leaves).region)
    }

    /// `place.name` as memory that is written, too, until [`Builder::restore`].
    #[inline(never)]
    pub fn spill_place<T: KernelData, U: Scalar, const N: usize>(
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
    pub fn spilled_array<U: Scalar>(&self, spilled: Spilled<U>) -> SliceMut<U> {
        spilled.array
    }

    /// The variables have what the memory holds from here on.
    #[inline(never)]
    pub fn restore<U: Scalar>(&self, at: u32, spilled: Spilled<U>) {
        self.restore_at(self.span(at), spilled);
    }

    /// `value.name.len()`, of which nothing is evaluated.
    #[inline(never)]
    pub fn field_len<T: KernelData, U: Scalar, const N: usize>(
        &self,
        _at: u32,
        _value: impl IntoValue<T>,
        _path: impl FnOnce(Part<T>) -> Part<[U; N]>,
    ) -> Value<usize> {
        Value::new(Operand::constant(N))
    }

    fn spill_variables<U: Scalar, const N: usize>(&self, span: Span, first: VarId) -> Spilled<U> {
        let leaves = self.leaves::<[U; N]>(self.variables(first, N as u32));
        Spilled { array: self.spilled::<U>(span, &leaves), first, length: N }
    }

    fn restore_at<U: Scalar>(&self, span: Span, spilled: Spilled<U>) {
        let array = spilled.array.region.memory;
        for (id, index) in (spilled.first.0..).zip(0..spilled.length) {
            let element = self.load_element(span, LoadAccess::Plain, array, U::TYPE, Operand::constant(index));
            self.set(span, VarId(id), U::TYPE, element);
        }
    }

    /// An array that holds the leaves.
    fn spilled<U: Scalar>(&self, span: Span, leaves: &[Operand]) -> SliceMut<U> {
        let name = self.name_of(leaves);
        let array = self.declare_array(span, name, U::TYPE, leaves.len(), ArraySpace::Local, false);
        for (index, &leaf) in leaves.iter().enumerate() {
            self.store_element(span, StoreAccess::Plain, array.into(), U::TYPE, Operand::constant(index), leaf);
        }
        SliceMut::new(array)
    }

    /// The user's name of a field that is an array, from that of its first element.
    fn name_of(&self, leaves: &[Operand]) -> Cow<'static, str> {
        let state = self.state.borrow();
        let name = match leaves.first() {
            Some(Operand::Leaf(Leaf::Var(first))) => state.program.variable(*first).name.clone(),
            Some(Operand::Leaf(Leaf::Param(first))) => Some(state.program.param(*first).name.clone()),
            _ => None,
        };
        name.map_or(Cow::Borrowed("field"), |name| match name.strip_suffix(".0") {
            Some(field) => Cow::Owned(field.to_owned()),
            None => name,
        })
    }
}
