//! Slices: elements and lengths.

use super::arena::Operand;
use super::{Builder, IntoValue, ReadSlice, Value, WriteSlice};
use crate::program::{Expr, StmtKind};
use crate::scalar::{Scalar, ScalarType};
use crate::source::Span;

impl Builder {
    /// `slice.len()`
    pub fn len<T>(&self, _at: u32, slice: impl ReadSlice<T>) -> Value<usize> {
        Value::new(Operand::Leaf(Expr::Len(slice.param())))
    }

    /// `slice[index]`
    pub fn load<T: Scalar>(&self, at: u32, slice: impl ReadSlice<T>, index: impl IntoValue<usize>) -> Value<T> {
        let span = self.span(at);
        let index = self.operand(span, index);
        let index = self.node(span, ScalarType::Usize, index);
        Value::new(self.load_node(span, T::TYPE, Expr::Load { slice: slice.param(), index }))
    }

    /// `slice[index] = value;`: as in Rust, the value is evaluated before the index.
    pub fn store<T: Scalar>(
        &self,
        at: u32,
        slice: impl WriteSlice<T>,
        value: impl IntoValue<T>,
        index: impl IntoValue<usize>,
    ) {
        let span = self.span(at);
        let value = self.operand(span, value);
        let index = self.operand(span, index);
        let value = self.node(span, T::TYPE, value);
        let index = self.node(span, ScalarType::Usize, index);
        self.emit(span, StmtKind::Store { slice: slice.param(), index, value });
    }

    /// `slice[index] op= ...;`, where `new` makes the element's new value of its old one. The index is evaluated once.
    pub(super) fn update<T: Scalar>(
        &self,
        span: Span,
        slice: impl WriteSlice<T>,
        index: impl IntoValue<usize>,
        new: impl FnOnce(Operand) -> Operand,
    ) {
        let slice = slice.param();
        let index = self.operand(span, index);
        let index = self.pin(span, ScalarType::Usize, index);
        let read = self.node(span, ScalarType::Usize, index);
        let value = new(self.load_node(span, T::TYPE, Expr::Load { slice, index: read }));
        let value = self.node(span, T::TYPE, value);
        let index = self.node(span, ScalarType::Usize, index);
        self.emit(span, StmtKind::Store { slice, index, value });
    }
}
