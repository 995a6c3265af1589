//! `#[device] impl From<A> for B` and `TryFrom<A>`: conversions of users' types, `B::from(a)` and `a.into()`.

use super::function::OnlyKernelsCallThis;
use super::{Builder, Composite, IntoValue, Lossless, Value};
use crate::ops::Int;
use crate::scalar::Scalar;
use std::marker::PhantomData;
use std::num::TryFromIntError;

/// A conversion that kernels have. Its function begins a call, as those of users' types do; it has the name by which kernels
/// look for one of the type itself, which comes first.
#[diagnostic::on_unimplemented(
    message = "`{Self}::from` of this is not supported in a kernel",
    label = "no `#[device] impl From<..> for {Self}`"
)]
pub trait DeviceFrom<A>: Composite {
    /// Makes the call.
    fn converted(call: OnlyKernelsCallThis<'_>, value: Value<A>) -> Value<Self>;

    /// Begins the call.
    fn from_with_device_above_its_impl(call: OnlyKernelsCallThis<'_>) -> BegunFrom<'_, Self, A> {
        BegunFrom { call, types: PhantomData }
    }
}

/// A conversion that is to take its argument.
#[derive(Debug)]
pub struct BegunFrom<'k, B, A> {
    call: OnlyKernelsCallThis<'k>,
    types: PhantomData<fn(A) -> B>,
}

impl<A, B: DeviceFrom<A>> BegunFrom<'_, B, A> {
    /// Takes the argument.
    #[inline(never)]
    pub fn __call(self, value: impl IntoValue<A>) -> Value<B> {
        let value = Value::new(self.call.k.operand(self.call.span(), value));
        B::converted(self.call, value)
    }
}

/// A conversion that may fail, as [`DeviceFrom`] has those that do not.
#[diagnostic::on_unimplemented(
    message = "`{Self}::try_from` of this is not supported in a kernel",
    label = "no `#[device] impl TryFrom<..> for {Self}`"
)]
pub trait DeviceTryFrom<A>: Composite {
    /// What there is where it fails.
    type Error: Composite;

    /// Makes the call.
    fn tried(call: OnlyKernelsCallThis<'_>, value: Value<A>) -> Value<Result<Self, Self::Error>>;

    /// Begins the call.
    fn try_from_with_device_above_its_impl(call: OnlyKernelsCallThis<'_>) -> BegunTryFrom<'_, Self, A> {
        BegunTryFrom { call, types: PhantomData }
    }
}

/// A conversion that is to take its argument.
#[derive(Debug)]
pub struct BegunTryFrom<'k, B, A> {
    call: OnlyKernelsCallThis<'k>,
    types: PhantomData<fn(A) -> B>,
}

impl<A, B: DeviceTryFrom<A>> BegunTryFrom<'_, B, A> {
    /// Takes the argument.
    #[inline(never)]
    pub fn __call(self, value: impl IntoValue<A>) -> Value<Result<B, B::Error>> {
        let value = Value::new(self.call.k.operand(self.call.span(), value));
        B::tried(self.call, value)
    }
}

impl Builder {
    /// `value.into()`
    #[inline(never)]
    pub fn converted<B: DeviceFrom<A>, A>(&self, at: u32, value: impl IntoValue<A>) -> Value<B> {
        let span = self.span(at);
        let value = Value::new(self.operand(span, value));
        B::converted(OnlyKernelsCallThis::new(self, span), value)
    }

    /// `value.try_into()`
    #[inline(never)]
    pub fn tried<B: DeviceTryFrom<A>, A>(&self, at: u32, value: impl IntoValue<A>) -> Value<Result<B, B::Error>> {
        let span = self.span(at);
        let value = Value::new(self.operand(span, value));
        B::tried(OnlyKernelsCallThis::new(self, span), value)
    }
}

macro_rules! scalars {
    ($($ty:ty)*) => {$(
        /// A scalar type by another name.
        #[diagnostic::do_not_recommend]
        impl<A: Scalar + Lossless<Self>> DeviceFrom<A> for $ty {
            fn converted(call: OnlyKernelsCallThis<'_>, value: Value<A>) -> Value<Self> {
                call.k.convert(0, value)
            }
        }
    )*};
}

macro_rules! integers {
    ($($ty:ty)*) => {$(
        /// A scalar type by another name.
        #[diagnostic::do_not_recommend]
        impl<A: Int> DeviceTryFrom<A> for $ty {
            type Error = TryFromIntError;

            fn tried(call: OnlyKernelsCallThis<'_>, value: Value<A>) -> Value<Result<Self, TryFromIntError>> {
                call.k.integer_converted(call.span(), value)
            }
        }
    )*};
}
integers!(u8 u16 u32 u64 i8 i16 i32 i64 usize isize);
scalars!(u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 bool usize isize);
#[cfg(feature = "half")]
scalars!(half::f16 half::bf16);
