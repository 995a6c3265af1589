//! `#[device] impl PartialEq for P` and `PartialOrd`: comparisons that users write themselves.
//!
//! rustc looks for these before it takes a type's comparison for a derived one (see `fieldwise`).

use super::arena::Operand;
use super::asked::{self, Comparison};
use super::function::OnlyKernelsCallThis;
use super::layout::HasLayout;
use super::overloaded::{Nothing, OtherOperands};
use super::partwise::PartialOrder;
use super::{Builder, Composite, IntoValue, IteratedRef, Let, Mutable, Types, Value, ValueRef};
use crate::ops::{CompareOp, UnaryOp};
use crate::scalar::ScalarType;
use crate::source::Span;
use std::cmp::Ordering;

/// Has a type that is known.
pub trait OfType {
    /// The type.
    type Type;
}

macro_rules! of_types {
    ($($handle:ident)*) => {$(
        impl<T> OfType for $handle<T> {
            type Type = T;
        }
    )*};
}
of_types!(Let Mutable Value IteratedRef);

/// A `T` has an `==` of its own. (`Types` has the trait: see [`Same`](super::Same).)
pub trait OwnEq<T> {
    /// Calls it.
    fn equal(call: OnlyKernelsCallThis<'_>, left: ValueRef<T>, right: ValueRef<T>) -> Value<bool>;
}

/// A `T` has an order of its own.
pub trait OwnOrder<T> {
    /// Calls it.
    fn compared(call: OnlyKernelsCallThis<'_>, left: ValueRef<T>, right: ValueRef<T>) -> Value<Option<Ordering>>;
}

/// A `T` has a `cmp` of its own.
pub trait OwnTotalOrder<T> {
    /// Calls it.
    fn compared(call: OnlyKernelsCallThis<'_>, left: ValueRef<T>, right: ValueRef<T>) -> Value<Ordering>;
}

/// Each row: what the host's `impl` begins with, which trait of the host it is, and how kernels call it.
macro_rules! answers {
    ($($(#[$doc:meta])* $name:ident $comparison:ident $trait:ident $method:ident;)*) => {$(
        $(#[$doc])*
        #[inline(never)]
        pub fn $name<T: Composite>(a: &T, b: &T) -> bool
        where
            Types: $trait<T>,
        {
            fn call<T: Composite>(k: &Builder, span: Span, a: Operand, b: Operand) -> Operand
            where
                Types: $trait<T>,
            {
                let [a, b] = [a, b].map(|value| ValueRef(Let::new(k, value)));
                <Types as $trait<T>>::$method(OnlyKernelsCallThis::new(k, span), a, b).operand
            }
            asked::answer(Comparison::$comparison, a, b, call::<T>)
        }
    )*};
}
answers! {
    /// Whether a builder asks what `==` is, and so has been told.
    answers_equality Equality OwnEq equal;
    /// Whether a builder asks what `<` is, and so has been told.
    answers_partial_order Partial OwnOrder compared;
    /// Whether a builder asks what `cmp` is, and so has been told.
    answers_total_order Total OwnTotalOrder compared;
}

// So that rustc does not conclude from the only one what a type has to be.
macro_rules! nothing {
    ($($number:literal)*) => {$(
        #[diagnostic::do_not_recommend]
        impl OwnEq<Nothing<$number>> for Types {
            fn equal(_: OnlyKernelsCallThis<'_>, _: ValueRef<Nothing<$number>>, _: ValueRef<Nothing<$number>>) -> Value<bool> {
                Value::new(Operand::Never)
            }
        }

        #[diagnostic::do_not_recommend]
        impl OwnOrder<Nothing<$number>> for Types {
            fn compared(
                _: OnlyKernelsCallThis<'_>,
                _: ValueRef<Nothing<$number>>,
                _: ValueRef<Nothing<$number>>,
            ) -> Value<Option<Ordering>> {
                Value::new(Operand::Never)
            }
        }

        #[diagnostic::do_not_recommend]
        impl OwnTotalOrder<Nothing<$number>> for Types {
            fn compared(_: OnlyKernelsCallThis<'_>, _: ValueRef<Nothing<$number>>, _: ValueRef<Nothing<$number>>) -> Value<Ordering> {
                Value::new(Operand::Never)
            }
        }
    )*};
}
nothing!(false true);

macro_rules! equalities {
    ($($method:ident $negated:literal;)*) => {
        impl<A, B> OtherOperands<'_, A, B>
        where
            A: OfType<Type: Composite> + IntoValue<A::Type>,
            B: OfType<Type = A::Type> + IntoValue<A::Type>,
            Types: OwnEq<A::Type>,
        {$(
            /// The comparison that the type has.
            #[inline(never)]
            pub fn $method(&mut self, at: u32) -> Value<bool> {
                let (k, a, b) = self.taken();
                let (a, b) = (k.lend_value::<A::Type>(at, a), k.lend_value::<A::Type>(at, b));
                let span = k.span(at);
                let equal = <Types as OwnEq<A::Type>>::equal(OnlyKernelsCallThis::new(k, span), a, b);
                match $negated {
                    true => Value::new(k.unary(span, UnaryOp::Not, ScalarType::Bool, equal.operand)),
                    false => equal,
                }
            }
        )*}
    };
}
equalities! {
    eq false;
    ne true;
}

macro_rules! orders {
    ($($method:ident $op:ident;)*) => {
        impl<A, B> OtherOperands<'_, A, B>
        where
            A: OfType<Type: Composite> + IntoValue<A::Type>,
            B: OfType<Type = A::Type> + IntoValue<A::Type>,
            Types: OwnOrder<A::Type>,
        {$(
            /// The comparison that the type has.
            #[inline(never)]
            pub fn $method(&mut self, at: u32) -> Value<bool> {
                let (k, a, b) = self.taken();
                let (a, b) = (k.lend_value::<A::Type>(at, a), k.lend_value::<A::Type>(at, b));
                let span = k.span(at);
                let order = <Types as OwnOrder<A::Type>>::compared(OnlyKernelsCallThis::new(k, span), a, b);
                let leaves = k.leaves(<Option<Ordering>>::LAYOUT, order.operand);
                let order = PartialOrder { is_some: leaves[0], order: leaves[1] };
                Value::new(k.is_ordered(span, CompareOp::$op, order))
            }
        )*}
    };
}
orders! {
    lt Lt;
    le Le;
    gt Gt;
    ge Ge;
}
