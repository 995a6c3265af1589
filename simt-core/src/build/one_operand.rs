//! Operators before a value that may be of a user's type: `-v`, `!v`. See `overloaded`.

use super::function::OnlyKernelsCallThis;
use super::overloaded::{Nothing, Operands, OtherOperands, Simple};
use super::{Builder, Composite, IntoValue, Value};
use crate::ops::{Bits, Signed};

/// Each row: the method, the trait that `#[device]` implements for users' types, what scalars it is for, and the error.
macro_rules! unary {
    ($($method:ident; $Op:ident; $bound:ident; $error:literal;)*) => {$(
        /// The operator of this type in kernels.
        #[diagnostic::on_unimplemented(
            message = $error,
            label = $error,
            note = "write `#[device]` above the `impl` of the operator for a struct of your own"
        )]
        pub trait $Op: Sized {
            /// The result's type.
            type OperatorOutput: Composite;
            /// Calls it.
            fn call(call: OnlyKernelsCallThis<'_>, value: Value<Self>) -> Value<Self::OperatorOutput>;
            /// Calls it, or emits that on scalars.
            fn operate(k: &Builder, at: u32, value: Value<Self>) -> Value<Self::OperatorOutput> {
                Self::call(OnlyKernelsCallThis::new(k, k.span(at)), value)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<T: $bound> $Op for T {
            type OperatorOutput = T;

            fn call(_: OnlyKernelsCallThis<'_>, _: Value<T>) -> Value<T> {
                unreachable!("of scalars it is no function")
            }

            fn operate(k: &Builder, at: u32, value: Value<T>) -> Value<T> {
                k.$method(at, value)
            }
        }

        unary!(@nothing $Op Nothing<false>);
        unary!(@nothing $Op Nothing<true>);

        #[allow(clippy::should_implement_trait, reason = "it has a place, and emits")]
        impl<A: Simple> Operands<'_, A, ()> {
            /// The operator on a scalar.
            #[inline(never)]
            pub fn $method<T: $bound>(mut self, at: u32) -> Value<T>
            where
                A: IntoValue<T>,
            {
                let (k, value, ()) = self.taken();
                k.$method(at, value)
            }
        }

        impl<A> OtherOperands<'_, A, ()> {
            /// The operator of a user's type.
            #[inline(never)]
            pub fn $method<T: Composite + $Op>(&mut self, at: u32) -> Value<T::OperatorOutput>
            where
                A: IntoValue<T>,
            {
                let (k, value, ()) = self.taken();
                let span = k.span(at);
                let value = value.into_value(k, span);
                T::operate(k, at, value)
            }
        }
    )*};
    (@nothing $Op:ident $nothing:ty) => {
        #[diagnostic::do_not_recommend]
        impl $Op for $nothing {
            type OperatorOutput = ();

            fn call(_: OnlyKernelsCallThis<'_>, value: Value<$nothing>) -> Value<()> {
                Value::new(value.operand)
            }
        }
    };
}

unary! {
    neg; Neg; Signed; "cannot negate `{Self}` in a kernel";
    not; Not; Bits; "no `!{Self}` in a kernel";
}
