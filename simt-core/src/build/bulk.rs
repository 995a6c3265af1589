//! All elements at once: `fill`, `copy_from_slice`, `contains`.

use super::arena::Operand;
use super::{Builder, IntoValue, KernelData, ReadSlice, Value, WriteSlice};
use crate::ops::CompareOp;
use crate::program::{LoadAccess, Memory, Piece, StmtKind, StoreAccess, Style, Variable};
use crate::scalar::{Scalar, ScalarType};
use crate::source::Span;

impl Builder {
    /// `slice.fill(value);`
    #[inline(never)]
    pub fn fill_elements<T: KernelData, S: WriteSlice<T>>(&self, at: u32, slice: S, value: impl IntoValue<T>) {
        let span = self.span(at);
        let value = self.keep(at, value).operand(self);
        let memory = slice.memory();
        let length = self.pinned_length::<T, S>(span, memory);
        self.each_index(span, length, |index| self.store_all::<T>(span, StoreAccess::Plain, memory, index, value));
    }

    /// `slice.copy_from_slice(&from);`, which panics as Rust's does where the lengths differ.
    #[inline(never)]
    pub fn copy_from_slice<T: KernelData, S: WriteSlice<T>, F: ReadSlice<T>>(&self, at: u32, slice: S, from: F) {
        let span = self.span(at);
        let (to, from) = (slice.memory(), from.memory());
        let (length, given) = (self.pinned_length::<T, S>(span, to), self.pinned_length::<T, F>(span, from));
        let differ = self.comparison(span, CompareOp::Ne, ScalarType::Usize, given, length);
        if differ.as_constant().is_none_or(|differ| differ.bits != 0) {
            let text = |text: &'static str| Piece::Text(text.into());
            let number = |arg| Piece::Value { arg, style: Style::default() };
            let message = self.message(&[
                text("copy_from_slice: source slice length ("),
                number(0),
                text(") does not match destination slice length ("),
                number(1),
                text(")"),
            ]);
            let panic = self.block(|| {
                let args = [given, length].map(|length| self.node(span, ScalarType::Usize, length)).into();
                self.emit(span, StmtKind::Panic { message, args });
            });
            self.emit_if(span, differ, panic, Vec::new());
        }
        self.copy_elements::<T>(span, from, to, length);
    }

    /// `slice.contains(&value)`
    #[inline(never)]
    pub fn contains<T: Scalar, S: ReadSlice<T>>(&self, at: u32, slice: S, value: impl IntoValue<T>) -> Value<bool> {
        let span = self.span(at);
        let value = self.keep(at, value).operand(self);
        let memory = slice.memory();
        let length = self.pinned_length::<T, S>(span, memory);
        let found = self.variable(Variable { name: None, ty: ScalarType::Bool, mutable: true }, true);
        self.set(span, found, ScalarType::Bool, Operand::constant(false));
        self.each_index(span, length, |index| {
            let element = self.load_element(span, LoadAccess::Plain, memory, T::TYPE, index);
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
    pub(super) fn copy_elements<T: KernelData>(&self, span: Span, from: Memory, to: Memory, length: Operand) {
        self.each_index(span, length, |index| {
            let value = self.load_all::<T>(span, LoadAccess::Plain, from, index);
            self.store_all::<T>(span, StoreAccess::Plain, to, index, value.operand);
        });
    }

    fn pinned_length<T: KernelData, S: ReadSlice<T>>(&self, span: Span, memory: Memory) -> Operand {
        let length = self.length(span, memory, S::per_element());
        self.pin(span, ScalarType::Usize, length)
    }

    /// A loop over the indices below a length, a leaf that keeps its value.
    pub(super) fn each_index(&self, span: Span, length: Operand, body: impl FnOnce(Operand)) {
        let counter = self.variable(Variable { name: None, ty: ScalarType::Usize, mutable: true }, true);
        self.set(span, counter, ScalarType::Usize, Operand::constant(0usize));
        let index = Operand::var(counter);
        let cond = self.comparison(span, CompareOp::Lt, ScalarType::Usize, index, length);
        let cond = self.node(span, ScalarType::Bool, cond);
        let body = self.block(|| body(index));
        let step = self.block(|| self.increment::<usize>(span, counter));
        self.emit(span, StmtKind::While { cond, body, step });
    }
}
