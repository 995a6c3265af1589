//! Operators before a value that may be of a user's type: `-v`, `!v`. See `overloaded`.

use super::function::CalledByKernel;
use super::overloaded::{Nothing, Operands, OtherOperands, Simple};
use super::{Builder, Composite, IntoValue, Value};
use crate::ops::{Bits, Signed};

/// Each row: the method, the trait that `#[device]` implements for users' types, what scalars it is for and which those are, and
/// the error. An `impl` for all scalars at once would be one for every type to rustc, which would then know the result of an
/// operator that is missing, and report what is done with that, too.
macro_rules! unary {
    ($($method:ident; $Op:ident; $bound:ident: $($scalar:ident)*; $error:literal;)*) => {$(
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
            fn call(call: CalledByKernel<'_>, value: Value<Self>) -> Value<Self::OperatorOutput>;
            /// Calls it, or emits that on scalars.
            fn operate(k: &Builder, at: u32, value: Value<Self>) -> Value<Self::OperatorOutput> {
                Self::call(CalledByKernel::new(k, k.span(at)), value)
            }
        }

        $(unary!(@scalar $method $Op $scalar);)*
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
    (@scalar $method:ident $Op:ident $scalar:ty) => {
        #[diagnostic::do_not_recommend]
        impl $Op for $scalar {
            type OperatorOutput = $scalar;

            fn call(_: CalledByKernel<'_>, _: Value<$scalar>) -> Value<$scalar> {
                unreachable!("of scalars it is no function")
            }

            fn operate(k: &Builder, at: u32, value: Value<$scalar>) -> Value<$scalar> {
                k.$method(at, value)
            }
        }
    };
    (@nothing $Op:ident $nothing:ty) => {
        #[diagnostic::do_not_recommend]
        impl $Op for $nothing {
            type OperatorOutput = ();

            fn call(_: CalledByKernel<'_>, value: Value<$nothing>) -> Value<()> {
                Value::new(value.operand)
            }
        }
    };
}

unary! {
    neg; Neg; Signed: i8 i16 i32 i64 isize f32 f64; "cannot negate `{Self}` in a kernel";
    not; Not; Bits: u8 u16 u32 u64 i8 i16 i32 i64 usize isize bool; "no `!{Self}` in a kernel";
}

#[cfg(feature = "half")]
unary!(@scalar neg Neg half::f16);
#[cfg(feature = "half")]
unary!(@scalar neg Neg half::bf16);
