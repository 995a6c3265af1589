//! Methods of `Option` and `Result` without a closure: `o.take()`, `o.or(p)`, `o.zip(p)`.

use super::super::arena::Operand;
use super::super::layout::HasLayout;
use super::super::tuple::Leaves;
use super::super::{Builder, Composite, IntoValue, Value};
use super::{ByReading, ByWriting, StdCall, std_methods};
use crate::ops::BinaryOp;
use crate::scalar::ScalarType;
use crate::source::Span;

std_methods! {
    /// The methods of `Option`.
    OptionMethods:
    copied __fn_copied ByReading;
    cloned __fn_cloned ByReading;
    as_ref __fn_as_ref ByReading;
    as_mut __fn_as_mut ByWriting;
    or __fn_or ByReading;
    xor __fn_xor ByReading;
    and __fn_and ByReading;
    zip __fn_zip ByReading;
    flatten __fn_flatten ByReading;
    take __fn_take ByWriting;
    replace __fn_replace ByWriting;
    insert __fn_insert ByWriting;
    get_or_insert __fn_get_or_insert ByWriting;
}

impl<T> OptionMethods for Option<T> {
    type Of = Self;
}

mod of_result {
    use super::{ByReading, std_methods};

    std_methods! {
        /// The methods of `Result`.
        ResultMethods:
        as_ref __fn_as_ref ByReading;
        or __fn_or ByReading;
        and __fn_and ByReading;
    }

    impl<T, E> ResultMethods for Result<T, E> {
        type Of = Self;
    }
}
pub use of_result::ResultMethods;

/// Those that give what they are called of: a reference to a value is the value.
macro_rules! the_same {
    ($([$($generics:tt)*] $name:path, $ty:ty;)*) => {$(
        impl<$($generics)*> StdCall<'_, $name, $ty> {
            /// What it is called of.
            #[inline(never)]
            pub fn __rest(self) -> Value<$ty> {
                let (k, span, subject) = self.parts();
                Value::new(k.subject_value(span, subject))
            }
        }
    )*};
}
the_same! {
    [T: Composite] copied, Option<T>;
    [T: Composite] cloned, Option<T>;
    [T: Composite] as_ref, Option<T>;
    [T: Composite, E: Composite] of_result::as_ref, Result<T, E>;
}

impl<T: Composite> StdCall<'_, or, Option<T>> {
    /// `option.or(other)`. Emits an `if`.
    #[inline(never)]
    pub fn __rest(self, other: impl IntoValue<Option<T>>) -> Value<Option<T>> {
        let (k, span, subject) = self.parts();
        let a = k.subject_leaves(<Option<T>>::LAYOUT, span, subject);
        let b = k.pinned_leaves::<Option<T>>(span, other);
        let some = k.binary(span, BinaryOp::Or, ScalarType::Bool, a[0], b[0]);
        let value = k.chosen(T::LAYOUT, span, a[0], &a[1..], &b[1..]);
        Value::new(k.flagged(some, &value))
    }
}

impl<T: Composite> StdCall<'_, xor, Option<T>> {
    /// `option.xor(other)`. Emits an `if`.
    #[inline(never)]
    pub fn __rest(self, other: impl IntoValue<Option<T>>) -> Value<Option<T>> {
        let (k, span, subject) = self.parts();
        let a = k.subject_leaves(<Option<T>>::LAYOUT, span, subject);
        let b = k.pinned_leaves::<Option<T>>(span, other);
        let some = k.binary(span, BinaryOp::Xor, ScalarType::Bool, a[0], b[0]);
        let value = k.chosen(T::LAYOUT, span, a[0], &a[1..], &b[1..]);
        Value::new(k.flagged(some, &value))
    }
}

impl<T: Composite> StdCall<'_, and, Option<T>> {
    /// `option.and(other)`
    #[inline(never)]
    pub fn __rest<U: Composite>(self, other: impl IntoValue<Option<U>>) -> Value<Option<U>> {
        let (k, span, subject) = self.parts();
        let a = k.subject_leaves(<Option<T>>::LAYOUT, span, subject);
        let b = k.pinned_leaves::<Option<U>>(span, other);
        let some = k.binary(span, BinaryOp::And, ScalarType::Bool, a[0], b[0]);
        Value::new(k.flagged(some, &b[1..]))
    }
}

impl<T: Composite> StdCall<'_, zip, Option<T>> {
    /// `option.zip(other)`
    #[inline(never)]
    pub fn __rest<U: Composite>(self, other: impl IntoValue<Option<U>>) -> Value<Option<(T, U)>> {
        let (k, span, subject) = self.parts();
        let a = k.subject_leaves(<Option<T>>::LAYOUT, span, subject);
        let b = k.pinned_leaves::<Option<U>>(span, other);
        let some = k.binary(span, BinaryOp::And, ScalarType::Bool, a[0], b[0]);
        Value::new(k.flagged(some, &[&a[1..], &b[1..]].concat()))
    }
}

impl<T: Composite> StdCall<'_, flatten, Option<Option<T>>> {
    /// `option.flatten()`
    #[inline(never)]
    pub fn __rest(self) -> Value<Option<T>> {
        let (k, span, subject) = self.parts();
        let leaves = k.subject_leaves(<Option<Option<T>>>::LAYOUT, span, subject);
        // Without an outer option, nothing says whether there is an inner one.
        let some = k.chosen(bool::LAYOUT, span, leaves[0], &leaves[1..2], &[Operand::constant(false)]);
        Value::new(k.flagged(some[0], &leaves[2..]))
    }
}

impl<T: Composite> StdCall<'_, take, Option<T>> {
    /// `option.take()`
    #[inline(never)]
    pub fn __rest(self) -> Value<Option<T>> {
        let (k, span, subject) = self.parts();
        let before = k.subject_leaves(<Option<T>>::LAYOUT, span, subject);
        k.put_subject(<Option<T>>::LAYOUT, span, subject, k.with_flag(false, &[&T::LAYOUT.nothing()]));
        Value::new(k.whole(&before))
    }
}

impl<T: Composite> StdCall<'_, replace, Option<T>> {
    /// `option.replace(value)`
    #[inline(never)]
    pub fn __rest(self, value: impl IntoValue<T>) -> Value<Option<T>> {
        let (k, span, subject) = self.parts();
        let value = k.pinned_leaves::<T>(span, value);
        let before = k.subject_leaves(<Option<T>>::LAYOUT, span, subject);
        k.put_subject(<Option<T>>::LAYOUT, span, subject, k.with_flag(true, &[&value]));
        Value::new(k.whole(&before))
    }
}

impl<T: Composite> StdCall<'_, insert, Option<T>> {
    /// `option.insert(value)`
    #[inline(never)]
    pub fn __rest(self, value: impl IntoValue<T>) -> Value<T> {
        let (k, span, subject) = self.parts();
        let value = k.pinned_leaves::<T>(span, value);
        k.put_subject(<Option<T>>::LAYOUT, span, subject, k.with_flag(true, &[&value]));
        Value::new(k.whole(&value))
    }
}

impl<T: Composite> StdCall<'_, get_or_insert, Option<T>> {
    /// `option.get_or_insert(value)`. Emits an `if`.
    #[inline(never)]
    pub fn __rest(self, value: impl IntoValue<T>) -> Value<T> {
        let (k, span, subject) = self.parts();
        let value = k.pinned_leaves::<T>(span, value);
        let before = k.subject_leaves(<Option<T>>::LAYOUT, span, subject);
        let there = k.chosen(T::LAYOUT, span, before[0], &before[1..], &value);
        k.put_subject(<Option<T>>::LAYOUT, span, subject, k.with_flag(true, &[&there]));
        Value::new(k.whole(&there))
    }
}

impl<T: Composite, E: Composite> StdCall<'_, of_result::or, Result<T, E>> {
    /// `result.or(other)`. Emits an `if`.
    #[inline(never)]
    pub fn __rest<F: Composite>(self, other: impl IntoValue<Result<T, F>>) -> Value<Result<T, F>> {
        let (k, span, subject) = self.parts();
        let a = k.subject_leaves(<Result<T, E>>::LAYOUT, span, subject);
        let b = k.pinned_leaves::<Result<T, F>>(span, other);
        let ok = k.binary(span, BinaryOp::Or, ScalarType::Bool, a[0], b[0]);
        let (value, error) = b[1..].split_at(T::COUNT as usize);
        let value = k.chosen(T::LAYOUT, span, a[0], &a[1..=T::COUNT as usize], value);
        Value::new(k.flagged(ok, &[&value, error].concat()))
    }
}

impl<T: Composite, E: Composite> StdCall<'_, of_result::and, Result<T, E>> {
    /// `result.and(other)`. Emits an `if`.
    #[inline(never)]
    pub fn __rest<U: Composite>(self, other: impl IntoValue<Result<U, E>>) -> Value<Result<U, E>> {
        let (k, span, subject) = self.parts();
        let a = k.subject_leaves(<Result<T, E>>::LAYOUT, span, subject);
        let b = k.pinned_leaves::<Result<U, E>>(span, other);
        let ok = k.binary(span, BinaryOp::And, ScalarType::Bool, a[0], b[0]);
        let (value, error) = b[1..].split_at(U::COUNT as usize);
        let error = k.chosen(E::LAYOUT, span, a[0], error, &a[1 + T::COUNT as usize..]);
        Value::new(k.flagged(ok, &[value, &error].concat()))
    }
}

impl Builder {
    /// The scalars of an argument, evaluated now.
    pub(super) fn pinned_leaves<V: Composite>(&self, span: Span, value: impl IntoValue<V>) -> Leaves {
        let value = self.operand(span, value);
        self.pin_leaves(V::LAYOUT, span, &self.leaves(V::LAYOUT, value))
    }

    /// A flag, and scalars behind it.
    pub(in crate::build) fn flagged(&self, flag: Operand, values: &[Operand]) -> Operand {
        let leaves: Leaves = std::iter::once(flag).chain(values.iter().copied()).collect();
        self.whole(&leaves)
    }
}
