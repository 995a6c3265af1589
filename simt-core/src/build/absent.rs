//! `Option` and `Result` as parts of structs and as elements of arrays, those of the host, and what has no scalars.

use super::layout::HasLayout;
use super::shape::{Fields, Shape, Written};
use super::{Builder, Column, Composite, First, IntoValue, KernelData, NoFields, Value};
use crate::scalar::ScalarType;
use crate::source::Span;
use std::marker::PhantomData;

impl<T: KernelData> KernelData for Option<T> {
    type Fields = NoFields<Self>;
    const COLUMNS: u32 = 1 + T::COLUMNS;

    fn fields(_: First) -> NoFields<Self> {
        NoFields::new()
    }

    fn columns(path: &str, show: &mut dyn FnMut(Column<'_>)) {
        show(Column { path: &format!("{path}.is_some"), ty: ScalarType::Bool, length: None });
        T::columns(&format!("{path}.value"), show);
    }

    fn cells(column: u32, show: &mut dyn FnMut(u32, u32)) {
        show(column, 0);
        T::cells(column + 1, show);
    }
}

impl<T: KernelData, E: KernelData> KernelData for Result<T, E> {
    type Fields = NoFields<Self>;
    const COLUMNS: u32 = 1 + T::COLUMNS + E::COLUMNS;

    fn fields(_: First) -> NoFields<Self> {
        NoFields::new()
    }

    fn columns(path: &str, show: &mut dyn FnMut(Column<'_>)) {
        show(Column { path: &format!("{path}.is_ok"), ty: ScalarType::Bool, length: None });
        T::columns(&format!("{path}.ok"), show);
        E::columns(&format!("{path}.err"), show);
    }

    fn cells(column: u32, show: &mut dyn FnMut(u32, u32)) {
        show(column, 0);
        T::cells(column + 1, show);
        E::cells(column + 1 + T::COLUMNS, show);
    }
}

/// Each: the generics, and a type that has no column.
macro_rules! without_columns {
    ($($(#[$doc:meta])* [$($generics:tt)*] $ty:ty;)*) => {$(
        $(#[$doc])*
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> KernelData for $ty {
            type Fields = NoFields<Self>;
            const COLUMNS: u32 = 0;

            fn fields(_: First) -> NoFields<Self> {
                NoFields::new()
            }

            fn columns(_: &str, _: &mut dyn FnMut(Column<'_>)) {}

            fn cells(_: u32, _: &mut dyn FnMut(u32, u32)) {}
        }
    )*};
}
without_columns! {
    /// What is there of `Result<(), E>`, and a type argument.
    [] ();
    /// A mark of a type.
    [T: 'static] PhantomData<T>;
}

/// A mark of a type: nothing that a kernel computes with.
impl<T: 'static> Composite for PhantomData<T> {
    const COUNT: u32 = 0;

    fn shape() -> Shape {
        Shape::Fields(Fields { name: "PhantomData", of: None, written: Written::Alone, parts: Vec::new() })
    }

    fn made(_: &mut dyn FnMut(ScalarType) -> u64) -> Self {
        Self
    }

    fn leaves(_: &str, _: &mut dyn FnMut(&str, ScalarType)) {}
}

/// `PhantomData`, as a value.
impl<T: 'static> IntoValue<Self> for PhantomData<T> {
    fn into_value(self, k: &Builder, _: Span) -> Value<Self> {
        Value::new(k.whole(&[]))
    }
}

/// An option from outside the kernel.
impl<T: Composite + IntoValue<T>> IntoValue<Self> for Option<T> {
    fn into_value(self, k: &Builder, span: Span) -> Value<Self> {
        match self.map(|value| k.operand::<T>(span, value)) {
            Some(value) => Value::new(k.with_flag(true, &[&k.leaves(T::LAYOUT, value)])),
            None => k.none(),
        }
    }
}

/// A result from outside the kernel.
impl<T: Composite + IntoValue<T>, E: Composite + IntoValue<E>> IntoValue<Self> for Result<T, E> {
    fn into_value(self, k: &Builder, span: Span) -> Value<Self> {
        Value::new(match self {
            Ok(value) => {
                let value = k.operand::<T>(span, value);
                k.with_flag(true, &[&k.leaves(T::LAYOUT, value), &E::LAYOUT.nothing()])
            }
            Err(error) => {
                let error = k.operand::<E>(span, error);
                k.with_flag(false, &[&T::LAYOUT.nothing(), &k.leaves(E::LAYOUT, error)])
            }
        })
    }
}
