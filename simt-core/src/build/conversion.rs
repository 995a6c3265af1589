//! `#[device] impl From<A> for B`: conversions of users' types, `B::from(a)`.

use super::function::CalledByKernel;
use super::{Composite, IntoValue, Lossless, Value};
use crate::scalar::Scalar;
use std::marker::PhantomData;

/// A conversion that kernels have. Its function begins a call, as those of users' types do; it has the name by which kernels
/// look for one of the type itself, which comes first.
#[diagnostic::on_unimplemented(
    message = "`{Self}::from` of this is not supported in a kernel",
    label = "no `#[device] impl From<..> for {Self}`"
)]
pub trait DeviceFrom<A>: Composite {
    /// Makes the call.
    fn converted(call: CalledByKernel<'_>, value: Value<A>) -> Value<Self>;

    /// Begins the call.
    fn __device_from(call: CalledByKernel<'_>) -> BegunFrom<'_, Self, A> {
        BegunFrom { call, types: PhantomData }
    }
}

/// A conversion that is to take its argument.
#[derive(Debug)]
pub struct BegunFrom<'k, B, A> {
    call: CalledByKernel<'k>,
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

macro_rules! scalars {
    ($($ty:ty)*) => {$(
        /// A scalar type by another name.
        #[diagnostic::do_not_recommend]
        impl<A: Scalar + Lossless<Self>> DeviceFrom<A> for $ty {
            fn converted(call: CalledByKernel<'_>, value: Value<A>) -> Value<Self> {
                call.k.convert(0, value)
            }
        }
    )*};
}
scalars!(u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 bool usize isize);
#[cfg(feature = "half")]
scalars!(half::f16 half::bf16);
