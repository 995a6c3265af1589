//! Fields of structs: read and assigned.

use super::arena::{Leaf, Operand};
use super::record::{First, Part};
use super::tuple::Leaves;
use super::{ArrayMut, Builder, Composite, IntoValue, KernelData, Let, Mutable, Place, ReadSlice, Value, WriteSlice};
use crate::ops::{Args, CompareOp, NumericOp};
use crate::program::{ArraySpace, LoadAccess, Memory, Piece, StmtKind, StoreAccess, Style, VarId};
use crate::scalar::{Scalar, ScalarType};
use crate::source::Span;
use std::borrow::Cow;

impl<U: Composite, const N: usize> IntoValue<[U; N]> for [Value<U>; N] {
    fn into_value(self, k: &Builder, _: Span) -> Value<[U; N]> {
        let leaves: Leaves = self.iter().flat_map(|value| k.leaves::<U>(value.operand)).collect();
        Value::new(k.whole(&leaves))
    }
}

/// An array from outside the kernel, as a value.
impl<U: Scalar + IntoValue<U>, const N: usize> IntoValue<[U; N]> for [U; N] {
    fn into_value(self, k: &Builder, span: Span) -> Value<[U; N]> {
        let leaves: Leaves = self.into_iter().map(|value| k.operand::<U>(span, value)).collect();
        Value::new(k.whole(&leaves))
    }
}

pub(super) fn part<T: KernelData, U: KernelData>(path: impl FnOnce(Part<T>) -> Part<U>) -> First {
    path(Part::next(&mut First::default())).first
}

impl Builder {
    /// `value` as the element of an array that is a value.
    #[inline(never)]
    pub fn item<T: Composite>(&self, at: u32, value: impl IntoValue<T>) -> Value<T> {
        Value::new(self.operand(self.span(at), value))
    }

    /// `[value; N]` as a value. May emit an assignment to a temporary.
    #[inline(never)]
    pub fn repeated<T: Composite, const N: usize>(&self, at: u32, value: impl IntoValue<T>) -> Value<[T; N]> {
        let span = self.span(at);
        let operand = self.operand(span, value);
        let leaves = self.pin_leaves::<T>(span, &self.leaves::<T>(operand));
        Value::new(self.whole(&leaves.repeat(N)))
    }

    /// `value.name`
    ///
    /// Emits the other fields, if they may have faults.
    #[inline(never)]
    pub fn get<T: KernelData, U: KernelData>(
        &self,
        at: u32,
        value: impl IntoValue<T>,
        path: impl FnOnce(Part<T>) -> Part<U>,
    ) -> Value<U> {
        let span = self.span(at);
        let operand = self.operand(span, value);
        let leaves = self.leaves::<T>(operand);
        let first = part(path).leaf;
        let wanted = first as usize..(first + U::COUNT) as usize;
        let dropped = leaves
            .iter()
            .enumerate()
            .any(|(number, leaf)| matches!(leaf, Operand::Node(_)) && !wanted.contains(&number));
        let leaves = if dropped { self.pin_leaves::<T>(span, &leaves) } else { leaves };
        Value::new(self.whole(&leaves[wanted]))
    }

    /// The field of a value that has a name.
    #[inline(never)]
    pub fn part_of<T: KernelData, U: KernelData>(&self, name: Let<T>, path: impl FnOnce(Part<T>) -> Part<U>) -> Let<U> {
        let leaves = self.leaves::<T>(name.operand(self));
        let first = part(path).leaf;
        Let::new(self, self.whole(&leaves[first as usize..(first + U::COUNT) as usize]))
    }

    /// `place.name = ..`
    #[inline(never)]
    pub fn get_place<T: KernelData, U: KernelData>(
        &self,
        place: impl Place<T>,
        path: impl FnOnce(Part<T>) -> Part<U>,
    ) -> Mutable<U> {
        Mutable::new(VarId(place.var().0 + part(path).leaf), U::COUNT)
    }

    /// `slice[..].name`, as a slice of these fields.
    #[inline(never)]
    pub fn column<T: KernelData, U: KernelData, S: ReadSlice<T>>(
        &self,
        slice: S,
        path: impl FnOnce(Part<T>) -> Part<U>,
    ) -> S::Column<U> {
        S::column(slice.memory().column(part(path).column))
    }

    /// `slice[..].name[..]`, as a slice of the elements of these fields.
    #[inline(never)]
    pub fn elements<T: Scalar, const N: usize, S: ReadSlice<[T; N]>>(&self, slice: S) -> S::Column<T> {
        S::column(slice.memory())
    }

    /// The index of `slice[index].name[inner]` among the elements. Emits a check of the inner one.
    #[inline(never)]
    pub fn element_index<T: Scalar, const N: usize>(
        &self,
        at: u32,
        slice: impl ReadSlice<[T; N]>,
        index: impl IntoValue<usize>,
        inner: impl IntoValue<usize>,
    ) -> Value<usize> {
        let span = self.span(at);
        let (index, inner) = (self.operand(span, index), self.operand(span, inner));
        Value::new(self.flat_index(span, slice.memory(), N, index, inner))
    }

    pub(super) fn flat_index(
        &self,
        span: Span,
        slice: Memory,
        length: usize,
        index: Operand,
        inner: Operand,
    ) -> Operand {
        let index = self.pin(span, ScalarType::Usize, index);
        let inner = self.pin(span, ScalarType::Usize, inner);
        self.check_index(span, slice, length, index, inner);
        self.flat(span, index, length as u32, inner)
    }

    /// `slice[index].name[inner]`. Emits a check of the inner index.
    #[inline(never)]
    pub fn load_inner<T: Scalar, const N: usize>(
        &self,
        at: u32,
        slice: impl ReadSlice<[T; N]>,
        index: impl IntoValue<usize>,
        inner: impl IntoValue<usize>,
    ) -> Value<T> {
        let span = self.span(at);
        let memory = slice.memory();
        let (index, inner) = (self.operand(span, index), self.operand(span, inner));
        let index = self.flat_index(span, memory, N, index, inner);
        Value::new(self.load_element(span, LoadAccess::Plain, memory, T::TYPE, index))
    }

    /// `slice[index].name[inner] = value;` Emits a check of the inner index.
    #[inline(never)]
    pub fn store_inner<T: Scalar, const N: usize>(
        &self,
        at: u32,
        slice: impl WriteSlice<[T; N]>,
        value: impl IntoValue<T>,
        index: impl IntoValue<usize>,
        inner: impl IntoValue<usize>,
    ) {
        let span = self.span(at);
        let memory = slice.memory();
        let value = self.operand(span, value);
        let (index, inner) = (self.operand(span, index), self.operand(span, inner));
        let index = self.flat_index(span, memory, N, index, inner);
        self.store_element(span, StoreAccess::Plain, memory, T::TYPE, index, value);
    }

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
        let leaves = self.leaves::<[U; N]>(self.variables(VarId(first), N as u32));
        let array: Memory = self.spilled::<U>(span, &leaves).memory;
        let value = new(Value::new(self.load_element(span, LoadAccess::Plain, array, U::TYPE, index)));
        self.store_element(span, StoreAccess::Plain, array, U::TYPE, index, value.operand);
        for (id, index) in (first..).zip(0..N) {
            let index = Operand::constant(index);
            let element = self.load_element(span, LoadAccess::Plain, array, U::TYPE, index);
            self.set(span, VarId(id), U::TYPE, element);
        }
    }

    /// An array that holds the leaves.
    fn spilled<U: Scalar>(&self, span: Span, leaves: &[Operand]) -> ArrayMut<U> {
        let name = self.name_of(leaves);
        let array = self.declare_array(span, name, U::TYPE, leaves.len(), ArraySpace::Local, false);
        for (index, &leaf) in leaves.iter().enumerate() {
            self.store_element(span, StoreAccess::Plain, array.into(), U::TYPE, Operand::constant(index), leaf);
        }
        ArrayMut::new(array)
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

    /// Panics if the index `inner` is not below the length of `slice[index]`, or of a field of it that is an array.
    fn check_index(&self, span: Span, slice: Memory, length: usize, index: Operand, inner: Operand) {
        let inside = self.comparison(span, CompareOp::Lt, ScalarType::Usize, inner, Operand::constant(length));
        if inside.as_constant().is_some_and(|inside| inside.bits != 0) {
            return;
        }
        let args = [inner, index].map(|index| self.node(span, ScalarType::Usize, index)).to_vec();
        let name = {
            let state = self.state.borrow();
            match slice {
                Memory::Param(param) => state.program.param(param).name.clone(),
                Memory::Array(array) => state.program.array(array).name.clone(),
            }
        };
        // Of `p.v`, the column of a field, it is `p[index].v`.
        let (slice, field) = name.split_at(name.find('.').unwrap_or(name.len()));
        let message = self.message(&[
            Piece::Text("index ".into()),
            Piece::Value { arg: 0, style: Style::default() },
            Piece::Text(format!(" is out of bounds of `{slice}[").into()),
            Piece::Value { arg: 1, style: Style::default() },
            Piece::Text(format!("]{field}`, whose length is {length}").into()),
        ]);
        let otherwise = self.block(|| self.emit(span, StmtKind::Panic { message, args }));
        self.emit_if(span, inside, Vec::new(), otherwise);
    }

    /// `index * length + inner`, and beyond all elements if that is more than an index can be.
    pub(super) fn flat(&self, span: Span, index: Operand, length: u32, inner: Operand) -> Operand {
        let ty = ScalarType::Usize;
        let first = match length {
            1 => index,
            _ => {
                let factors = Args::Two([index, Operand::constant(length as usize)]);
                self.numeric(span, NumericOp::SaturatingMul, ty, factors)
            }
        };
        match inner.as_constant() {
            Some(zero) if zero.bits == 0 => first,
            _ => self.numeric(span, NumericOp::SaturatingAdd, ty, Args::Two([first, inner])),
        }
    }
}
