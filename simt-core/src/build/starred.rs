//! `*value`, of a reference or of what stands for one.

use super::arena::Operand;
use super::{Builder, Composite, IntoValue, KernelData, RefMut, Value};
use std::marker::PhantomData;

/// What a `*` stands before, of which only rustc knows whether it is a reference that a kernel has, or a value that is a
/// reference on the host.
///
/// Of two methods of the same name rustc takes the first for a reference, and for others finds the second one behind `Deref`.
#[derive(Debug)]
pub struct Starred<'k, T> {
    k: &'k Builder,
    at: u32,
    other: StarredValue<T>,
}

/// A value.
#[derive(Debug)]
pub struct StarredValue<T>(Operand, PhantomData<T>);

impl<T> std::ops::Deref for Starred<'_, T> {
    type Target = StarredValue<T>;

    fn deref(&self) -> &StarredValue<T> {
        &self.other
    }
}

impl<T: KernelData> Starred<'_, RefMut<T>> {
    /// What is behind it.
    #[inline(never)]
    pub fn read(&self) -> Value<T> {
        self.k.behind(self.at, Value::<RefMut<T>>::new(self.other.0))
    }
}

impl<T> StarredValue<T> {
    /// The value.
    #[inline(never)]
    pub fn read(&self) -> Value<T> {
        Value::new(self.0)
    }
}

impl Builder {
    /// `*value`
    #[inline(never)]
    pub fn starred<T: Composite>(&self, at: u32, value: impl IntoValue<T>) -> Starred<'_, T> {
        let operand = self.operand(self.span(at), value);
        Starred { k: self, at, other: StarredValue(operand, PhantomData) }
    }
}
