//! Values that a `let` names: what their names stand for.

use super::arena::Operand;
use super::layout::HasStorage;
use super::{
    ArrayMut, ArrayRef, Builder, Composite, FieldMemory, IntoValue, KernelData, Let, Mutable, Never, Value, ValueRef,
};
use crate::program::ArraySpace;
use std::ops::Deref;

/// A value that is to be named: an array by an array of the thread's, so that an index into it need not be known.
///
/// Of two methods of the same name rustc takes the first if the value is an array, and for others finds the second one behind
/// `Deref`.
#[derive(Debug)]
pub struct Nameable<'k, T> {
    other: OtherNameable<'k, T>,
}

/// What a value is that is to be named. Of a type that is not known rustc does not know that either, and takes none for an array.
pub trait Named {
    /// The value.
    type Nameable<'k>;
    /// Makes it.
    fn nameable(nameable: Nameable<'_, Self>) -> Self::Nameable<'_>
    where
        Self: Sized;
}

impl<T: 'static> Named for T {
    type Nameable<'k> = Nameable<'k, T>;

    fn nameable(nameable: Nameable<'_, T>) -> Nameable<'_, T> {
        nameable
    }
}

/// A value that is no array.
#[derive(Debug)]
pub struct OtherNameable<'k, T> {
    k: &'k Builder,
    at: u32,
    operand: Operand,
    // So that the methods have no bounds, which rustc would report again.
    bind: fn(&Builder, u32, &'static str, Operand) -> Let<T>,
    bind_mut: fn(&Builder, u32, &'static str, Operand) -> Mutable<T>,
    lend: fn(&Builder, u32, Operand) -> ValueRef<T>,
}

impl<'k, T> Deref for Nameable<'k, T> {
    type Target = OtherNameable<'k, T>;

    fn deref(&self) -> &OtherNameable<'k, T> {
        &self.other
    }
}

/// A value whose name is more than a variable: arrays, which are memory, and references.
pub trait NamedValue: Composite {
    /// What `let name` stands for.
    type Name;
    /// What `let mut name` stands for.
    type NameMut;
    /// `let name = value;`
    fn named(k: &Builder, at: u32, value: Value<Self>, name: &'static str) -> Self::Name;
    /// `let mut name = value;`
    fn named_mut(k: &Builder, at: u32, value: Value<Self>, name: &'static str) -> Self::NameMut;
}

impl<T: KernelData, const N: usize> NamedValue for [T; N] {
    type Name = ArrayRef<T, N>;
    type NameMut = ArrayMut<T, N>;

    fn named(k: &Builder, at: u32, value: Value<Self>, name: &'static str) -> ArrayRef<T, N> {
        ArrayRef::new(Self::named_mut(k, at, value, name).region)
    }

    fn named_mut(k: &Builder, at: u32, value: Value<Self>, name: &'static str) -> ArrayMut<T, N> {
        let span = k.span(at);
        let array = k.declare_arrays(T::STORAGE, span, name, N, ArraySpace::Local, false);
        k.put_array::<T, N>(span, array.into(), value.operand);
        ArrayMut::new(array)
    }
}

impl<T: NamedValue> Nameable<'_, T> {
    /// `let name = value;`
    #[inline(never)]
    pub fn named(self, name: &'static str) -> T::Name {
        let OtherNameable { k, at, operand, .. } = self.other;
        T::named(k, at, Value::new(operand), name)
    }

    /// `let mut name = value;`
    #[inline(never)]
    pub fn named_mut(self, name: &'static str) -> T::NameMut {
        let OtherNameable { k, at, operand, .. } = self.other;
        T::named_mut(k, at, Value::new(operand), name)
    }
}

impl<T: KernelData, const N: usize> Nameable<'_, [T; N]> {
    /// `&value`, as an argument.
    #[inline(never)]
    pub fn lent(self) -> ArrayRef<T, N> {
        let OtherNameable { k, at, operand, .. } = self.other;
        <[T; N]>::memory(k, k.span(at), Value::new(operand))
    }
}

impl<T> OtherNameable<'_, T> {
    /// `&value`, as an argument.
    #[inline(never)]
    pub fn lent(&self) -> ValueRef<T> {
        (self.lend)(self.k, self.at, self.operand)
    }

    /// `let name = value;`
    #[inline(never)]
    pub fn named(&self, name: &'static str) -> Let<T> {
        (self.bind)(self.k, self.at, name, self.operand)
    }

    /// `let mut name = value;`
    #[inline(never)]
    pub fn named_mut(&self, name: &'static str) -> Mutable<T> {
        (self.bind_mut)(self.k, self.at, name, self.operand)
    }
}

/// A device function's result is a number whatever its type parameters are: a name of it is a variable, and rustc need not know
/// its type for that yet.
#[derive(Clone, Copy, Debug)]
pub struct NumberResult;

impl NumberResult {
    /// The result, which is to be named by a `let`.
    #[inline(never)]
    pub fn nameable<T: Composite>(self, k: &Builder, at: u32, value: impl IntoValue<T>) -> OtherNameable<'_, T> {
        k.other_nameable(at, k.operand(k.span(at), value))
    }
}

/// A device function's result is whatever its type says.
#[derive(Clone, Copy, Debug)]
pub struct AnyResult;

impl AnyResult {
    /// The result, which is to be named by a `let`.
    #[inline(never)]
    pub fn nameable<T: Composite>(self, k: &Builder, at: u32, value: impl IntoValue<T>) -> <T as Named>::Nameable<'_> {
        k.nameable(at, value)
    }
}

/// The type of a device function's result has been refused: rustc, which would ask for the type of a name of it, gets one.
#[derive(Clone, Copy, Debug)]
pub struct RefusedResult;

impl RefusedResult {
    /// The result, which is to be named by a `let`.
    pub fn nameable(self, _k: &Builder, _at: u32, result: Never) -> Never {
        result
    }
}

impl Never {
    /// `let name = value;`
    pub fn named(self, _name: &'static str) -> Self {
        self
    }

    /// `let mut name = value;`
    pub fn named_mut(self, _name: &'static str) -> Self {
        self
    }
}

/// A call that has begun. Calls of which more is known have a method of this name, which rustc finds before that of the trait.
pub trait HasResult {
    /// What is known of its result.
    fn __result(&self) -> AnyResult {
        AnyResult
    }
}

#[diagnostic::do_not_recommend]
impl<C> HasResult for C {}

impl Builder {
    /// A value that is to be named by a `let`.
    #[inline(never)]
    pub fn nameable<T: Composite>(&self, at: u32, value: impl IntoValue<T>) -> <T as Named>::Nameable<'_> {
        let operand = self.operand(self.span(at), value);
        T::nameable(Nameable { other: self.other_nameable(at, operand) })
    }

    fn other_nameable<T: Composite>(&self, at: u32, operand: Operand) -> OtherNameable<'_, T> {
        let bind = |k: &Self, at, name, operand| k.bind::<T>(at, name, Value::<T>::new(operand));
        let bind_mut = |k: &Self, at, name, operand| k.bind_mut::<T>(at, name, Value::<T>::new(operand));
        let lend = |k: &Self, at, operand| k.lend_value::<T>(at, Value::<T>::new(operand));
        OtherNameable { k: self, at, operand, bind, bind_mut, lend }
    }
}
