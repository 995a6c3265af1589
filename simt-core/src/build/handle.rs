//! Handles: what a kernel's names and expressions stand for while it is built.
//!
//! rustc shows these types in its messages, so their names are short and their parameter is the kernel's own type.

use super::arena::Operand;
use super::{Builder, Region};
use crate::program::VarId;
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
///
/// It fits in two registers: a larger one is copied wherever a kernel uses the name, and LLVM looks from each copy back to
/// where the name comes from.
#[derive(Debug)]
pub struct Let<T> {
    leaves: Listed,
    ty: PhantomData<T>,
}

/// Where leaves are in the builder's list. (A type of its own: rustc proposes fields of a type that would fit.)
#[derive(Clone, Copy, Debug)]
pub(super) struct Listed {
    pub(super) first: u32,
    pub(super) count: u32,
}

impl<T> Let<T> {
    /// The name of an operand that something has evaluated.
    pub(super) fn new(k: &Builder, operand: Operand) -> Self {
        Self::of(k.listed(operand))
    }

    /// The name of an operand whose leaves are there.
    pub(super) fn of(leaves: Listed) -> Self {
        Self { leaves, ty: PhantomData }
    }

    pub(super) fn operand(self, k: &Builder) -> Operand {
        k.unlisted(self.leaves)
    }
}

/// A `let mut` variable.
#[derive(Debug)]
pub struct Mutable<T> {
    /// The variable, or the first of several.
    pub(super) var: VarId,
    /// One variable for each scalar of the type; their numbers follow each other.
    pub(super) count: u32,
    ty: PhantomData<T>,
}

impl<T> Mutable<T> {
    pub(super) fn new(var: VarId, count: u32) -> Self {
        Self { var, count, ty: PhantomData }
    }
}

macro_rules! memory_handles {
    ($($(#[$doc:meta])* $handle:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $handle<T> {
            pub(super) region: Region,
            ty: PhantomData<T>,
        }

        impl<T> $handle<T> {
            pub(super) fn new(region: impl Into<Region>) -> Self {
                Self { region: region.into(), ty: PhantomData }
            }
        }
    )*};
}
memory_handles! {
    /// A slice `&[T]`.
    SliceRef;
    /// A slice `&mut [T]`.
    SliceMut;
    /// A slice or array of atomics.
    AtomicSlice;
    /// An array of arrays of atomics; `T` is one of them.
    AtomicRows;
}

macro_rules! array_handles {
    ($($(#[$doc:meta])* $handle:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $handle<T, const N: usize> {
            pub(super) region: Region,
            ty: PhantomData<T>,
        }

        impl<T, const N: usize> $handle<T, N> {
            pub(super) fn new(region: impl Into<Region>) -> Self {
                Self { region: region.into(), ty: PhantomData }
            }
        }

        impl<T, const N: usize> Clone for $handle<T, N> {
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<T, const N: usize> Copy for $handle<T, N> {}
    )*};
}
array_handles! {
    /// An array `let a = [..]`.
    ArrayRef;
    /// An array `let mut a = [..]`.
    ArrayMut;
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
impl_copy!(Let Mutable SliceRef SliceMut AtomicSlice AtomicRows);

/// The value of an expression that never has one: `return`, `break`, `continue`.
#[derive(Clone, Copy, Debug)]
pub struct Never;

/// The left side of `&&` or `||`, evaluated; the right side is being built.
#[derive(Debug)]
pub struct Left {
    pub(super) operand: Operand,
}
