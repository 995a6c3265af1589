//! The types `f16` and `bf16` of the crate `half` as numbers: floats that cast to all others.

use crate::ops::number::{Float, HalfFloat, Num, Signed};
use crate::ops::{CastMeaning, CastsToHalves, CastsToNumbers, evaluate_cast};
use crate::scalar::{Constant, Scalar};
use ::half::{bf16, f16};

/// `as`, by the rule of [`evaluate_cast`].
fn convert<T: Scalar, U: Scalar>(value: T) -> U {
    U::from_bits64(evaluate_cast(Constant::of(value), U::TYPE).bits)
}

macro_rules! casts {
    ($($half:ident: $($other:ident)*;)*) => {$($(
        impl CastMeaning<$half> for $other {
            fn cast(self) -> $half { convert(self) }
        }
        impl CastMeaning<$other> for $half {
            fn cast(self) -> $other { convert(self) }
        }
    )*)*};
}
casts! {
    f16: u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 usize isize;
    bf16: u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 usize isize;
}

macro_rules! casts_to_halves {
    ($($number:ident)*) => { $(impl CastsToHalves for $number {})* };
}
casts_to_halves!(u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 usize isize f16 bf16);

macro_rules! halves {
    ($($half:ident, $other:ident;)*) => {$(
        impl Num for $half {}
        impl Signed for $half {}
        impl Float for $half { type Bits = u16; }
        impl HalfFloat for $half {}

        impl CastsToNumbers for $half {}
        impl CastMeaning<$half> for $half {
            fn cast(self) -> $half { self }
        }
        impl CastMeaning<$other> for $half {
            fn cast(self) -> $other { convert(self) }
        }
    )*};
}
halves! {
    f16, bf16;
    bf16, f16;
}
