//! Functions of numbers by the path of a type that may be a user's, or another name of a number's: `Real::min(a, b)`,
//! `Flags::from_bits(b)`.
//!
//! Where such a function is called, the macro declares a trait with a function of this name, which all numbers have. rustc takes
//! the type's own function first.

use super::super::function::OnlyKernelsCallThis;
use super::super::{Builder, IntoValue, Value};
use super::number::WithBytes;
use crate::ops::{Float, HalfFloat, Int};
use std::marker::PhantomData;

pub use super::number_names::*;

/// A call of the function `N` of a number's type.
#[derive(Debug)]
pub struct NumberFunction<'k, N, T> {
    call: OnlyKernelsCallThis<'k>,
    of: PhantomData<fn(N) -> T>,
}

impl<'k, N, T> NumberFunction<'k, N, T> {
    /// The call, before it has arguments.
    pub fn new(call: OnlyKernelsCallThis<'k>) -> Self {
        Self { call, of: PhantomData }
    }

    pub(super) fn place(&self) -> (&'k Builder, u32) {
        (self.call.k, self.call.at)
    }
}

macro_rules! number_functions {
    ($($name:ident<$bound:path>($ty:ty), $method:ident;)*) => {$(
        #[doc = concat!("`T::", stringify!($name), "()`")]
        #[allow(non_camel_case_types, reason = "the name is the function's")]
        #[derive(Debug)]
        pub enum $name {}

        impl<T: $bound> NumberFunction<'_, $name, T> {
            #[doc = concat!("`T::", stringify!($name), "(a)`")]
            #[inline(never)]
            pub fn __call(self, a: impl IntoValue<$ty>) -> Value<T> {
                let (k, at) = self.place();
                k.$method::<T>(at, a)
            }
        }
    )*};
}
number_functions! {
    from_bits<Float>(T::Bits), from_bits;
    from_f32<HalfFloat>(f32), from_f32;
    from_f64<HalfFloat>(f64), from_f64;
    from_be<Int>(T), to_be;
    from_le<Int>(T), to_le;
    from_be_bytes<WithBytes>(T::Bytes), from_be_bytes;
    from_le_bytes<WithBytes>(T::Bytes), from_le_bytes;
    from_ne_bytes<WithBytes>(T::Bytes), from_le_bytes;
}
