//! Fields of structs: read and assigned.

use super::arena::Operand;
use super::layout::{HasLayout, HasStorage};
use super::record::{First, Part};
use super::tuple::Leaves;
use super::{
    Builder, Composite, IntoIndex, IntoValue, KernelData, Let, Mutable, Place, ReadSlice, Region, Value, WriteSlice,
};
use crate::ops::{Args, CompareOp, NumericOp};
use crate::program::{ExprId, LoadAccess, Memory, Piece, Program, StmtKind, StoreAccess, Style, VarId};
use crate::scalar::ScalarType;
use crate::source::Span;
use std::borrow::Cow;

impl<U: Composite, const N: usize> IntoValue<[U; N]> for [Value<U>; N] {
    fn into_value(self, k: &Builder, _: Span) -> Value<[U; N]> {
        let mut leaves = Leaves::new();
        for value in self {
            k.append(U::LAYOUT, &mut leaves, value.operand);
        }
        Value::new(k.whole(&leaves))
    }
}

/// An array from outside the kernel, as a value.
impl<U: Composite + IntoValue<U>, const N: usize> IntoValue<[U; N]> for [U; N] {
    fn into_value(self, k: &Builder, span: Span) -> Value<[U; N]> {
        let mut leaves = Leaves::new();
        for value in self {
            k.append(U::LAYOUT, &mut leaves, k.operand::<U>(span, value));
        }
        Value::new(k.whole(&leaves))
    }
}

/// Where a part begins. The path to it is a function pointer, so that nothing is compiled for each closure that is one.
pub(super) fn part<T: KernelData, U: KernelData>(path: fn(Part<T>) -> Part<U>) -> First {
    path(Part::next(&mut First::default())).first
}

/// All that is no leaf may fault, as far as [`Builder::get`] looks.
fn any_node(_: &Program, _: ExprId) -> bool {
    true
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
        let leaves = self.pin_leaves(T::LAYOUT, span, &self.leaves(T::LAYOUT, operand));
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
        path: fn(Part<T>) -> Part<U>,
    ) -> Value<U> {
        let span = self.span(at);
        let operand = self.operand(span, value);
        Value::new(self.part_of_value(T::LAYOUT, span, operand, (part(path).leaf, U::COUNT), any_node))
    }

    /// The field of a value that has a name.
    #[inline(never)]
    pub fn part_of<T: KernelData, U: KernelData>(&self, name: Let<T>, path: fn(Part<T>) -> Part<U>) -> Let<U> {
        Let::new(self, self.part(name.operand(self), part(path).leaf, U::COUNT))
    }

    /// `place.name = ..`
    #[inline(never)]
    pub fn get_place<T: KernelData, U: KernelData>(
        &self,
        place: impl Place<T>,
        path: fn(Part<T>) -> Part<U>,
    ) -> Mutable<U> {
        Mutable::new(VarId(place.var().0 + part(path).leaf), U::COUNT)
    }

    /// `slice[..].name`, as a slice of these fields.
    #[inline(never)]
    pub fn column<T: KernelData, U: KernelData, S: ReadSlice<T>>(
        &self,
        slice: S,
        path: fn(Part<T>) -> Part<U>,
    ) -> S::Column<U> {
        S::column(slice.region().column(part(path).column))
    }

    /// `slice[..].name[..]`, as a slice of the elements of these fields.
    #[inline(never)]
    pub fn elements<T: KernelData, const N: usize, S: ReadSlice<[T; N]>>(&self, slice: S) -> S::Column<T> {
        // Its index is one of the memory's, see `element_index`.
        S::column(slice.region().memory.into())
    }

    /// The index of `slice[index].name[inner]` among the elements. Emits a check of the inner one.
    #[inline(never)]
    pub fn element_index<T: KernelData, const N: usize>(
        &self,
        at: u32,
        slice: impl ReadSlice<[T; N]>,
        index: impl IntoIndex,
        inner: impl IntoIndex,
    ) -> Value<usize> {
        let span = self.span(at);
        let (index, inner) = (self.operand(span, index), self.operand(span, inner));
        Value::new(self.flat_index(span, slice.region(), N, index, inner))
    }

    pub(super) fn flat_index(
        &self,
        span: Span,
        region: Region,
        length: usize,
        index: Operand,
        inner: Operand,
    ) -> Operand {
        let index = self.located(span, region, index);
        let index = self.pin(span, ScalarType::Usize, index);
        let inner = self.pin(span, ScalarType::Usize, inner);
        self.check_index(span, region.memory, length, index, inner);
        self.flat(span, index, length as u32, inner)
    }

    /// `slice[index].name[inner]`. Emits a check of the inner index.
    #[inline(never)]
    pub fn load_inner<T: KernelData, const N: usize>(
        &self,
        at: u32,
        slice: impl ReadSlice<[T; N]>,
        index: impl IntoIndex,
        inner: impl IntoIndex,
    ) -> Value<T> {
        let span = self.span(at);
        let region = slice.region();
        let (index, inner) = (self.operand(span, index), self.operand(span, inner));
        let index = self.flat_index(span, region, N, index, inner);
        Value::new(self.load_all(T::STORAGE, span, LoadAccess::Plain, region.memory, index))
    }

    /// `slice[index].name[inner] = value;` Emits a check of the inner index.
    #[inline(never)]
    pub fn store_inner<T: KernelData, const N: usize>(
        &self,
        at: u32,
        slice: impl WriteSlice<[T; N]>,
        value: impl IntoValue<T>,
        index: impl IntoIndex,
        inner: impl IntoIndex,
    ) {
        let span = self.span(at);
        let region = slice.region();
        let value = self.operand(span, value);
        let (index, inner) = (self.operand(span, index), self.operand(span, inner));
        let index = self.flat_index(span, region, N, index, inner);
        self.store_all(T::STORAGE, span, StoreAccess::Plain, region.memory, index, value);
    }

    /// The name of memory, with that of its field.
    pub(super) fn memory_name(&self, memory: Memory) -> Cow<'static, str> {
        let state = self.state.borrow();
        match memory {
            Memory::Param(param) => state.program.param(param).name.clone(),
            Memory::Array(array) => state.program.array(array).name.clone(),
        }
    }

    /// Panics if the index `inner` is not below the length of `slice[index]`, or of a field of it that is an array.
    fn check_index(&self, span: Span, slice: Memory, length: usize, index: Operand, inner: Operand) {
        let inside = self.comparison(span, CompareOp::Lt, ScalarType::Usize, inner, Operand::constant(length));
        if inside.as_constant().is_some_and(|inside| inside.bits != 0) {
            return;
        }
        let args = [inner, index].map(|index| self.node(span, ScalarType::Usize, index)).to_vec();
        let name = self.memory_name(slice);
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
