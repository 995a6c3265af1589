//! Which handle can be used where, and what rustc tells the user if it cannot.
//!
//! Inference needs that each type has exactly one implementation of [`IntoValue`]: from `{integer}: IntoValue<u32>` rustc
//! then concludes that the literal is a `u32`, and from `Let<u32>: IntoValue<_>` that a `u32` is meant.

use super::arena::Operand;
use super::{Builder, Let, Mutable, Never, SliceMut, SliceRef, Value};
use crate::program::{Expr, ParamId, VarId};
use crate::source::Span;

/// Can be used where a kernel needs a value of type `T`.
#[diagnostic::on_unimplemented(
    message = "mismatched types in kernel: expected `{T}`, found `{Self}`",
    label = "expected `{T}`, found `{Self}`",
    note = "a kernel converts nothing by itself: write `x as T` between numbers, `x != 0` for a `bool`, `1.0` for a float"
)]
pub trait IntoValue<T> {
    /// The value. `span` is the place of the operation that uses it.
    fn into_value(self, k: &Builder, span: Span) -> Value<T>;
}

/// `Types: Same<U, T>` holds if `U` and `T` are one type.
///
/// A handle's own type must be found out in both directions (`Let<_>` where a `u32` is needed, `Let<u32>` where anything
/// is), and a mismatch is to be named by the user's types. A bound with a known `Self` and one implementation does both.
#[diagnostic::on_unimplemented(
    message = "mismatched types in kernel: expected `{T}`, found `{U}`",
    label = "expected `{T}`, found `{U}`",
    note = "a kernel converts nothing by itself: write `x as T` between numbers, `x != 0` for a `bool`, `1.0` for a float"
)]
pub trait Same<U, T> {
    /// The same value.
    fn same(value: Value<U>) -> Value<T>;
}

/// The only implementor of [`Same`].
#[derive(Debug)]
pub enum Types {}

#[diagnostic::do_not_recommend]
impl<T> Same<T, T> for Types {
    fn same(value: Value<T>) -> Value<T> {
        value
    }
}

macro_rules! impl_for_host_types {
    ($($host:ty)*) => {$(
        /// A constant of the host: a literal, or a name from outside the kernel.
        impl IntoValue<$host> for $host {
            fn into_value(self, k: &Builder, span: Span) -> Value<$host> {
                k.constant(span, self)
            }
        }
    )*};
}
// Not `impl<T: Scalar> IntoValue<T> for T`: of `2 * x` with a float `x`, rustc would then find the `x` wrong and not the `2`.
impl_for_host_types!(u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 bool usize isize);

impl<U, T> IntoValue<T> for Value<U>
where
    Types: Same<U, T>,
{
    fn into_value(self, _: &Builder, _: Span) -> Value<T> {
        Types::same(self)
    }
}

impl<U, T> IntoValue<T> for Let<U>
where
    Types: Same<U, T>,
{
    fn into_value(self, _: &Builder, _: Span) -> Value<T> {
        Types::same(Value::new(self.operand))
    }
}

impl<U, T> IntoValue<T> for Mutable<U>
where
    Types: Same<U, T>,
{
    fn into_value(self, _: &Builder, _: Span) -> Value<T> {
        Types::same(Value::new(Operand::Leaf(Expr::Var(self.var))))
    }
}

/// A slice is no value: where one is wanted, rustc says that its type is not a scalar.
impl<T> IntoValue<Self> for SliceRef<T> {
    fn into_value(self, _: &Builder, _: Span) -> Value<Self> {
        Value::new(Operand::Never)
    }
}

/// As for [`SliceRef`].
impl<T> IntoValue<Self> for SliceMut<T> {
    fn into_value(self, _: &Builder, _: Span) -> Value<Self> {
        Value::new(Operand::Never)
    }
}

impl<T> IntoValue<T> for Never {
    fn into_value(self, _: &Builder, _: Span) -> Value<T> {
        Value::new(Operand::Never)
    }
}

/// Can be assigned a value of type `T`.
#[diagnostic::on_unimplemented(
    message = "cannot assign to this name in a kernel",
    label = "not a `let mut` variable",
    note = "write `let mut` (or `mut` before the parameter's name) where it is declared"
)]
pub trait Place<T> {
    /// The variable.
    fn var(self) -> VarId;
}

impl<T> Place<T> for Mutable<T> {
    fn var(self) -> VarId {
        self.var
    }
}

/// Has elements of type `T` and a length.
#[diagnostic::on_unimplemented(
    message = "cannot index this in a kernel",
    label = "not a slice",
    note = "only the kernel's parameters `&[T]` and `&mut [T]` have elements and a length"
)]
pub trait ReadSlice<T> {
    /// The parameter.
    fn param(self) -> ParamId;
}

/// Has elements of type `T` that a thread may write.
#[diagnostic::on_unimplemented(
    message = "cannot write to this in a kernel",
    label = "not a slice that may be written",
    note = "declare the parameter as `&mut [T]`"
)]
pub trait WriteSlice<T>: ReadSlice<T> {}

impl<T> ReadSlice<T> for SliceRef<T> {
    fn param(self) -> ParamId {
        self.param
    }
}

impl<T> ReadSlice<T> for SliceMut<T> {
    fn param(self) -> ParamId {
        self.param
    }
}

impl<T> WriteSlice<T> for SliceMut<T> {}
