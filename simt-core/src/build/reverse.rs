//! `std::cmp::Reverse`: a struct of std, whose order is the other way round.

use super::shape::{Fields, Shape, Written};
use super::{Builder, Column, Composite, Field, First, Hold, IntoValue, KernelData, Part, Value};
use crate::scalar::ScalarType;
use crate::source::Span;
use std::cmp::Reverse;

impl<T: Composite> Composite for Reverse<T> {
    const COUNT: u32 = T::COUNT;

    fn shape() -> Shape {
        Shape::Reverse(Fields { name: "Reverse", ..Fields::unnamed(Written::Numbered, vec![T::shape()]) })
    }

    fn made(next: &mut dyn FnMut(ScalarType) -> u64) -> Self {
        Self(T::made(next))
    }

    fn leaves(path: &str, show: &mut dyn FnMut(&str, ScalarType)) {
        T::leaves(&format!("{path}.0"), show);
    }
}

impl<T: KernelData> KernelData for Reverse<T> {
    type Fields = (Part<T>,);
    const COLUMNS: u32 = T::COLUMNS;

    fn fields(mut first: First) -> (Part<T>,) {
        (Part::next(&mut first),)
    }

    fn columns(path: &str, show: &mut dyn FnMut(Column<'_>)) {
        T::columns(&format!("{path}.0"), show);
    }

    fn cells(column: u32, show: &mut dyn FnMut(u32, u32)) {
        T::cells(column, show);
    }
}

impl<T: Composite> Field<0> for Reverse<T> {
    type Type = T;
    const FIRST: u32 = 0;
}

/// One from outside the kernel.
impl<T: Composite + IntoValue<T>> IntoValue<Self> for Reverse<T> {
    fn into_value(self, k: &Builder, span: Span) -> Value<Self> {
        Value::new(k.operand::<T>(span, self.0))
    }
}

impl<T: Composite> Hold for Reverse<T> {
    type Held = Self;

    fn hold(self, _: &Builder, _: u32) -> Self {
        self
    }
}
