//! Handles: what a kernel's names and expressions stand for while it is built.
//!
//! rustc shows these types in its messages, so their names are short and their parameter is the kernel's own type.

use super::arena::Operand;
use crate::program::{ParamId, VarId};
use std::marker::PhantomData;

/// The value of an expression, to be used once.
#[derive(Debug)]
pub struct Value<T> {
    pub(super) operand: Operand,
    ty: PhantomData<T>,
}

impl<T> Value<T> {
    pub(super) fn new(operand: Operand) -> Self {
        Self { operand, ty: PhantomData }
    }
}

/// A name that keeps its value: a `let`, a scalar parameter, the counter of a `for`.
#[derive(Debug)]
pub struct Let<T> {
    pub(super) operand: Operand,
    ty: PhantomData<T>,
}

impl<T> Let<T> {
    pub(super) fn new(operand: Operand) -> Self {
        Self { operand, ty: PhantomData }
    }
}

/// A `let mut` variable.
#[derive(Debug)]
pub struct Mutable<T> {
    pub(super) var: VarId,
    ty: PhantomData<T>,
}

impl<T> Mutable<T> {
    pub(super) fn new(var: VarId) -> Self {
        Self { var, ty: PhantomData }
    }
}

/// A parameter `&[T]`.
#[derive(Debug)]
pub struct SliceRef<T> {
    pub(super) param: ParamId,
    ty: PhantomData<T>,
}

impl<T> SliceRef<T> {
    pub(super) fn new(param: ParamId) -> Self {
        Self { param, ty: PhantomData }
    }
}

/// A parameter `&mut [T]`.
#[derive(Debug)]
pub struct SliceMut<T> {
    pub(super) param: ParamId,
    ty: PhantomData<T>,
}

impl<T> SliceMut<T> {
    pub(super) fn new(param: ParamId) -> Self {
        Self { param, ty: PhantomData }
    }
}

macro_rules! impl_copy {
    ($($handle:ident)*) => {$(
        // Not derived: a handle is `Copy` whatever its type parameter is.
        impl<T> Clone for $handle<T> {
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<T> Copy for $handle<T> {}
    )*};
}
impl_copy!(Let Mutable SliceRef SliceMut);

/// The value of an expression that never has one: `return`, `break`, `continue`.
#[derive(Clone, Copy, Debug)]
pub struct Never;

/// The left side of `&&` or `||`, evaluated; the right side is being built.
#[derive(Debug)]
pub struct Left {
    pub(super) operand: Operand,
}
