//! All elements at once: `fill`, `copy_from_slice`, `contains`.

use super::arena::Operand;
use super::guard::{number, text};
use super::layout::{HasStorage, Storage};
use super::{Builder, Contains, IntoValue, KernelData, ReadSlice, Region, Value, WriteSlice};
use crate::ops::CompareOp;
use crate::program::{ExprId, LoadAccess, StmtKind, StoreAccess, VarId, Variable};
use crate::scalar::{Scalar, ScalarType};
use crate::source::Span;

impl Builder {
    /// `slice.fill(value);`
    #[inline(never)]
    pub fn fill_elements<T: KernelData, S: WriteSlice<T>>(&self, at: u32, slice: S, value: impl IntoValue<T>) {
        let value = self.keep(at, value).operand(self);
        self.fill_region(T::STORAGE, self.span(at), slice.region(), value);
    }

    /// As [`Builder::fill_elements`], of a value that is evaluated.
    pub(super) fn fill_region(&self, storage: &Storage, span: Span, region: Region, value: Operand) {
        let length = self.length_of(storage, span, region);
        self.each_index(span, length, |index| {
            let index = self.moved(span, region, index);
            self.store_all(storage, span, StoreAccess::Plain, region.memory, index, value);
        });
    }

    /// `slice.copy_from_slice(&from);`, which panics as Rust's does where the lengths differ.
    #[inline(never)]
    pub fn copy_from_slice<T: KernelData, S: WriteSlice<T>, F: ReadSlice<T>>(&self, at: u32, slice: S, from: F) {
        self.copy_region(T::STORAGE, self.span(at), slice.region(), from.region());
    }

    /// As [`Builder::copy_from_slice`].
    pub(super) fn copy_region(&self, storage: &Storage, span: Span, to: Region, from: Region) {
        let [length, given] = [to, from].map(|region| self.length_of(storage, span, region));
        let differ = self.comparison(span, CompareOp::Ne, ScalarType::Usize, given, length);
        self.panic_if(span, differ, |_| {
            let pieces = vec![
                text("copy_from_slice: source slice length ("),
                number(0),
                text(") does not match destination slice length ("),
                number(1),
                text(")"),
            ];
            (pieces, vec![given, length])
        });
        self.copy_elements(storage, span, from, to, length);
    }

    /// `a == b` of slices: as std's, of their lengths, and of the elements until two differ. Emits a loop.
    #[inline(never)]
    pub fn equal_slices<T: KernelData + PartialEq, A: ReadSlice<T>, B: ReadSlice<T>>(
        &self,
        at: u32,
        a: A,
        b: B,
        unequal: bool,
    ) -> Value<bool> {
        let (span, of) = (self.span(at), [a.region(), b.region()]);
        let equal = self.equal_regions(T::STORAGE, span, of, &|a, b| self.unequal::<T>(span, a, b));
        Value::new(if unequal { self.not_of(span, equal) } else { equal })
    }

    /// As [`Builder::equal_slices`], where `differ` says whether two elements do.
    fn equal_regions(
        &self,
        storage: &Storage,
        span: Span,
        of: [Region; 2],
        differ: &dyn Fn(Operand, Operand) -> Operand,
    ) -> Operand {
        let [length, other] = of.map(|region| self.length_of(storage, span, region));
        let same = self.comparison(span, CompareOp::Eq, ScalarType::Usize, length, other);
        let holds = self.changing::<bool>(span, same);
        let compared = self.block(|| {
            self.each_index(span, length, |index| {
                let [a, b] = of.map(|region| {
                    let index = self.moved(span, region, index);
                    self.load_all(storage, span, LoadAccess::Plain, region.memory, index)
                });
                self.decide_if(span, differ(a, b), holds, Operand::constant(false));
            });
        });
        self.emit_if(span, Operand::var(holds), compared, Vec::new());
        Operand::var(holds)
    }

    /// `slice.contains(&value)`
    #[inline(never)]
    pub fn contains<T: Scalar, S: Contains<T>>(&self, at: u32, slice: S, value: impl IntoValue<T>) -> Value<bool> {
        let value = self.keep(at, value);
        slice.contains_one(self, self.span(at), value)
    }

    /// Whether a value is among the elements.
    pub(super) fn among<T: Scalar, S: ReadSlice<T>>(&self, span: Span, slice: S, value: Operand) -> Value<bool> {
        self.region_contains::<T>(span, slice.region(), value)
    }

    /// As [`Builder::among`], of memory.
    pub(super) fn region_contains<T: Scalar>(&self, span: Span, region: Region, value: Operand) -> Value<bool> {
        let length = self.length_of(T::STORAGE, span, region);
        let found = self.variable(Variable { name: None, ty: ScalarType::Bool, mutable: true }, true);
        self.set(span, found, ScalarType::Bool, Operand::constant(false));
        self.each_index(span, length, |index| {
            let index = self.moved(span, region, index);
            let element = self.load_element(span, LoadAccess::Plain, region.memory, T::TYPE, index);
            let is_it = self.comparison(span, CompareOp::Eq, T::TYPE, element, value);
            let leave = self.block(|| {
                self.set(span, found, ScalarType::Bool, Operand::constant(true));
                self.emit(span, StmtKind::Break { out: 0 });
            });
            self.emit_if(span, is_it, leave, Vec::new());
        });
        Value::new(Operand::var(found))
    }

    /// Copies so many elements.
    pub(super) fn copy_elements(&self, storage: &Storage, span: Span, from: Region, to: Region, length: Operand) {
        self.each_index(span, length, |index| {
            let [source, target] = [from, to].map(|region| self.moved(span, region, index));
            let value = self.load_all(storage, span, LoadAccess::Plain, from.memory, source);
            self.store_all(storage, span, StoreAccess::Plain, to.memory, target, value);
        });
    }

    /// A loop over the indices below a length, a leaf that keeps its value.
    pub(super) fn each_index(&self, span: Span, length: Operand, body: impl FnOnce(Operand)) {
        let (counter, cond) = self.index_below(span, length);
        let body = self.block(|| body(Operand::var(counter)));
        let step = self.block(|| self.increment::<usize>(span, counter));
        self.emit(span, StmtKind::While { cond, body, step });
    }

    /// A counter that begins at 0, and whether it is below a length.
    fn index_below(&self, span: Span, length: Operand) -> (VarId, ExprId) {
        let counter = self.variable(Variable { name: None, ty: ScalarType::Usize, mutable: true }, true);
        self.set(span, counter, ScalarType::Usize, Operand::constant(0usize));
        let cond = self.comparison(span, CompareOp::Lt, ScalarType::Usize, Operand::var(counter), length);
        (counter, self.node(span, ScalarType::Bool, cond))
    }
}
