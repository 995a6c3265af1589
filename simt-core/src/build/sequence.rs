//! `for` over elements: `for x in &a`, `.iter()`, `.iter_mut()`, and what stands behind them.
//!
//! A sequence has a length, known before the loop, and its items are functions of their position. So a `for` over it is one
//! that counts. An item of `.iter()` is a reference: the element is read where the name is used, as in Rust, not before.

use super::arena::Operand;
use super::{
    ArrayMut, ArrayRef, Builder, Composite, Elements, IntoValue, KernelData, Let, ReadSlice, Same, SliceMut, Types, Value,
    WriteSlice,
};
use crate::ops::{BinaryOp, CompareOp, NumericOp};
use crate::ops::{Args, Int};
use crate::program::{ArraySpace, Expr, LoadAccess, Memory, Variable};
use crate::scalar::ScalarType;
use crate::source::Span;
use std::marker::PhantomData;

/// Items, by position.
#[derive(Clone, Copy, Debug)]
pub struct Sequence<I> {
    /// How many, as a leaf that keeps its value.
    length: Length,
    items: I,
}

/// A pinned operand. (A type of its own, so that the builder's types of operands stay its own.)
#[derive(Clone, Copy, Debug)]
struct Length(Operand);

/// The items of a sequence.
pub trait Items: Copy {
    /// What the name in a `for` stands for.
    type Item;
    /// The item at a position, a leaf that keeps its value.
    fn item(self, k: &Builder, span: Span, position: Position) -> Self::Item;
}

/// A position in a sequence.
#[derive(Clone, Copy, Debug)]
pub struct Position(Operand);

macro_rules! items {
    ($($(#[$doc:meta])* $name:ident<$($of:ident),*> { $($field:ident: $ty:ty),* })*) => {$(
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name<$($of),*> { $($field: $ty),* }

        // Not derived: whatever the type parameters are.
        impl<$($of: Parts),*> Clone for $name<$($of),*> {
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<$($of: Parts),*> Copy for $name<$($of),*> {}
    )*};
}
