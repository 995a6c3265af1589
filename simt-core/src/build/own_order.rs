//! `#[device] impl PartialEq for P` and `PartialOrd`: comparisons that users write themselves.
//!
//! rustc looks for these before it takes a type's comparison for a derived one (see `fieldwise`).

use super::arena::Operand;
use super::function::CalledByKernel;
use super::overloaded::{Nothing, OtherOperands};
use super::{Builder, Composite, IntoValue, IteratedRef, Let, Mutable, Types, Value, ValueRef};
use crate::ops::{BinaryOp, CompareOp, UnaryOp};
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
    fn equal(call: CalledByKernel<'_>, left: ValueRef<T>, right: ValueRef<T>) -> Value<bool>;
}

/// A `T` has an order of its own.
pub trait OwnOrder<T> {
    /// Calls it.
    fn compared(call: CalledByKernel<'_>, left: ValueRef<T>, right: ValueRef<T>) -> Value<Option<Ordering>>;
}

// So that rustc does not conclude from the only one what a type has to be.
macro_rules! nothing {
    ($($number:literal)*) => {$(
        #[diagnostic::do_not_recommend]
        impl OwnEq<Nothing<$number>> for Types {
            fn equal(_: CalledByKernel<'_>, _: ValueRef<Nothing<$number>>, _: ValueRef<Nothing<$number>>) -> Value<bool> {
                Value::new(Operand::Never)
            }
        }

        #[diagnostic::do_not_recommend]
        impl OwnOrder<Nothing<$number>> for Types {
            fn compared(
                _: CalledByKernel<'_>,
                _: ValueRef<Nothing<$number>>,
                _: ValueRef<Nothing<$number>>,
            ) -> Value<Option<Ordering>> {
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
                let equal = <Types as OwnEq<A::Type>>::equal(CalledByKernel::new(k, span), a, b);
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
                let order = <Types as OwnOrder<A::Type>>::compared(CalledByKernel::new(k, span), a, b);
                k.is_ordered(span, CompareOp::$op, order.operand)
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

impl Builder {
    /// Whether there is an order, and it is that.
    fn is_ordered(&self, span: Span, op: CompareOp, order: Operand) -> Value<bool> {
        let leaves = self.leaves::<Option<Ordering>>(order);
        let holds = self.comparison(span, op, ScalarType::I8, leaves[1], Operand::constant(0_i8));
        Value::new(self.binary(span, BinaryOp::And, ScalarType::Bool, leaves[0], holds))
    }
}
