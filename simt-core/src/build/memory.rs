//! Slices and arrays: elements and lengths.

use super::arena::{Leaf, Operand};
use super::layout::{HasStorage, Storage};
use super::tuple::Leaves;
use super::{Builder, HasLength, IntoIndex, IntoValue, KernelData, ReadSlice, Region, Value, WriteSlice};
use crate::ops::{BinaryOp, CompareOp};
use crate::program::{Array, ArrayId, Expr, LoadAccess, Memory, ParamId, StmtKind, StoreAccess};
use crate::scalar::{Scalar, ScalarType};
use crate::source::Span;

impl Memory {
    /// The column so many behind this one.
    pub(super) fn column(self, number: u32) -> Self {
        match self {
            Self::Param(ParamId(first)) => Self::Param(ParamId(first + number)),
            Self::Array(ArrayId(first)) => Self::Array(ArrayId(first + number)),
        }
    }
}

impl Builder {
    /// `slice.len()`; a constant if it is an array whose type says it.
    #[inline(never)]
    pub fn len<S: HasLength>(&self, at: u32, slice: S) -> Value<usize> {
        slice.length_of(self, self.span(at))
    }

    /// `slice.is_empty()`
    #[inline(never)]
    pub fn is_empty<S: HasLength>(&self, at: u32, slice: S) -> Value<bool> {
        let span = self.span(at);
        let length = slice.length_of(self, span).operand;
        Value::new(self.comparison(span, CompareOp::Eq, ScalarType::Usize, length, Operand::constant(0usize)))
    }

    /// The length of a slice or array whose first column has so many elements for each of its own.
    pub(super) fn length(&self, span: Span, region: Region, per_element: u32) -> Operand {
        if let Some(bounds) = self.bounds(region) {
            return bounds.length;
        }
        let length = match region.memory {
            Memory::Param(param) => {
                let known = self.state.borrow().program.param(param).table.as_ref().map(|table| table.len());
                known.map_or(Operand::Leaf(Leaf::Len(region.memory)), Operand::constant)
            }
            Memory::Array(array) => match self.state.borrow().program.array(array) {
                Array { dynamic: true, .. } => Operand::Leaf(Leaf::Len(region.memory)),
                Array { length, .. } => Operand::constant(*length as usize),
            },
        };
        match per_element {
            0 | 1 => length,
            many => self.binary(span, BinaryOp::Div, ScalarType::Usize, length, Operand::constant(many as usize)),
        }
    }

    /// `slice[index]`
    #[inline(never)]
    pub fn load<T: KernelData>(&self, at: u32, slice: impl ReadSlice<T>, index: impl IntoIndex) -> Value<T> {
        let span = self.span(at);
        let (region, index) = (slice.region(), self.operand(span, index));
        let index = self.located(span, region, index);
        Value::new(self.load_all(T::STORAGE, span, LoadAccess::Plain, region.memory, index))
    }

    /// `slice.load_volatile(index)`, `slice.load_cg(index)`, ...
    #[inline(never)]
    pub fn load_with<T: Scalar>(
        &self,
        at: u32,
        slice: impl ReadSlice<T>,
        access: LoadAccess,
        index: impl IntoIndex,
    ) -> Value<T> {
        let span = self.span(at);
        let (region, index) = (slice.region(), self.operand(span, index));
        let index = self.located(span, region, index);
        Value::new(self.load_all(T::STORAGE, span, access, region.memory, index))
    }

    /// `slice[index] = value;`: as in Rust, the value is evaluated before the index.
    #[inline(never)]
    pub fn store<T: KernelData>(
        &self,
        at: u32,
        slice: impl WriteSlice<T>,
        value: impl IntoValue<T>,
        index: impl IntoIndex,
    ) {
        let span = self.span(at);
        let (value, index, region) = (self.operand(span, value), self.operand(span, index), slice.region());
        let (value, index) = self.located_store(T::STORAGE, span, region, value, index);
        self.store_all(T::STORAGE, span, StoreAccess::Plain, region.memory, index, value);
    }

    /// `slice.store_volatile(index, value);`, `slice.store_cg(index, value);`, ...
    #[inline(never)]
    pub fn store_with<T: Scalar>(
        &self,
        at: u32,
        slice: impl WriteSlice<T>,
        access: StoreAccess,
        index: impl IntoIndex,
        value: impl IntoValue<T>,
    ) {
        let span = self.span(at);
        let (index, value, region) = (self.operand(span, index), self.operand(span, value), slice.region());
        let (value, index) = self.located_store(T::STORAGE, span, region, value, index);
        self.store_all(T::STORAGE, span, access, region.memory, index, value);
    }

    /// `slice.swap(a, b);`
    #[inline(never)]
    pub fn swap_elements<T: KernelData>(
        &self,
        at: u32,
        slice: impl WriteSlice<T>,
        a: impl IntoIndex,
        b: impl IntoIndex,
    ) {
        let span = self.span(at);
        let region = slice.region();
        let (a, b) = (self.operand(span, a), self.operand(span, b));
        self.swap_in(T::STORAGE, span, region, [a, b]);
    }

    fn swap_in(&self, storage: &Storage, span: Span, region: Region, of: [Operand; 2]) {
        let [a, b] = of.map(|index| self.pin(span, ScalarType::Usize, index));
        let [a, b] = [a, b].map(|index| self.located(span, region, index));
        self.exchange_elements(storage, span, region.memory, a, b);
    }

    /// Exchanges two elements.
    pub(super) fn exchange_elements(&self, storage: &Storage, span: Span, slice: Memory, a: Operand, b: Operand) {
        let [a, b] = [a, b].map(|index| self.pin(span, ScalarType::Usize, index));
        let first = self.load_all(storage, span, LoadAccess::Plain, slice, a);
        let first = self.pin_leaves(storage.layout, span, &self.leaves(storage.layout, first));
        let second = self.load_all(storage, span, LoadAccess::Plain, slice, b);
        self.store_all(storage, span, StoreAccess::Plain, slice, a, second);
        self.store_all(storage, span, StoreAccess::Plain, slice, b, self.whole(&first));
    }

    /// `slice[index] op= ...;`, where `new` makes the element's new value of its old one. The index is evaluated once.
    pub(super) fn update<T: Scalar>(
        &self,
        span: Span,
        slice: impl WriteSlice<T>,
        index: impl IntoIndex,
        new: impl FnOnce(Operand) -> Operand,
    ) {
        let region = slice.region();
        let (slice, index) = (region.memory, self.operand(span, index));
        let index = self.located(span, region, index);
        let index = self.pin(span, ScalarType::Usize, index);
        let value = new(self.load_element(span, LoadAccess::Plain, slice, T::TYPE, index));
        self.store_element(span, StoreAccess::Plain, slice, T::TYPE, index, value);
    }

    /// A value that is evaluated, and where it is to be stored.
    fn located_store(
        &self,
        storage: &Storage,
        span: Span,
        region: Region,
        value: Operand,
        index: Operand,
    ) -> (Operand, Operand) {
        if !region.is_subslice() {
            return (value, index);
        }
        let value = self.pinned_value(storage.layout, span, value);
        (value, self.located(span, region, index))
    }

    pub(super) fn load_all(
        &self,
        storage: &Storage,
        span: Span,
        access: LoadAccess,
        slice: Memory,
        index: Operand,
    ) -> Operand {
        if let Some(var) = self.mirrored_element(storage, slice, index) {
            return self.pinned_value(storage.layout, span, self.variables(var, storage.layout.count));
        }
        let (mirror, mut leaves) = (self.reflect(span, slice), Leaves::new());
        self.each_column(storage, span, slice, index, |memory, ty, index| {
            leaves.push(self.load_element(span, access, memory, ty, index));
        });
        if mirror.is_some() {
            leaves = self.pin_leaves(storage.layout, span, &leaves);
            self.reflected(span, mirror, false);
        }
        self.whole(&leaves)
    }

    pub(super) fn store_all(
        &self,
        storage: &Storage,
        span: Span,
        access: StoreAccess,
        slice: Memory,
        index: Operand,
        value: Operand,
    ) {
        if let Some(var) = self.mirrored_element(storage, slice, index) {
            return self.replace(storage.layout, span, var, value);
        }
        let mirror = self.reflect(span, slice);
        let leaves = self.leaves(storage.layout, value);
        let mut leaves = match leaves.len() {
            // Each leaf is stored by a statement of its own, so none may read what those before it wrote.
            2.. => self.pin_leaves(storage.layout, span, &leaves),
            _ => leaves,
        }
        .into_iter();
        self.each_column(storage, span, slice, index, |memory, ty, index| {
            let leaf = leaves.next().unwrap_or(Operand::Never);
            self.store_element(span, access, memory, ty, index, leaf);
        });
        self.reflected(span, mirror, true);
    }

    /// Calls `access` for each leaf of an element, with the column where it is, its type, and its index there.
    fn each_column(
        &self,
        storage: &Storage,
        span: Span,
        slice: Memory,
        index: Operand,
        mut access: impl FnMut(Memory, ScalarType, Operand),
    ) {
        let columns = storage.columns();
        if let [(ty, None)] = columns[..] {
            return access(slice, ty, index);
        }
        let index = self.pin(span, ScalarType::Usize, index);
        storage.cells(|number, inner| {
            let ((ty, length), column) = (columns[number as usize], slice.column(number));
            match length {
                None => access(column, ty, index),
                Some(length) => access(column, ty, self.flat(span, index, length, Operand::constant(inner as usize))),
            }
        });
    }

    pub(super) fn load_element(
        &self,
        span: Span,
        access: LoadAccess,
        slice: Memory,
        ty: ScalarType,
        index: Operand,
    ) -> Operand {
        let mirror = self.reflect(span, slice);
        let index = self.node(span, ScalarType::Usize, index);
        let element = self.load_node(span, ty, Expr::Load { slice, index, access });
        if mirror.is_none() {
            return element;
        }
        let element = self.pin(span, ty, element);
        self.reflected(span, mirror, false);
        element
    }

    pub(super) fn store_element(
        &self,
        span: Span,
        access: StoreAccess,
        slice: Memory,
        ty: ScalarType,
        index: Operand,
        value: Operand,
    ) {
        let mirror = self.reflect(span, slice);
        let value = self.node(span, ty, value);
        let index = self.node(span, ScalarType::Usize, index);
        self.emit(span, StmtKind::Store { slice, index, value, access });
        self.reflected(span, mirror, true);
    }
}
