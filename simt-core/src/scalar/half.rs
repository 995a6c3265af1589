//! The types `f16` and `bf16` of the crate `half` as scalars.

use super::{Scalar, ScalarType, sealed};
use ::half::{bf16, f16};

macro_rules! halves {
    ($($half:ident = $variant:ident;)*) => {$(
        impl sealed::Sealed for $half {}
        impl Scalar for $half {
            const TYPE: ScalarType = ScalarType::$variant;
            #[inline(always)]
            fn to_bits64(self) -> u64 { self.to_bits().into() }
            #[inline(always)]
            fn from_bits64(bits: u64) -> Self { Self::from_bits(bits as u16) }
        }
    )*};
}
halves! {
    f16 = F16;
    bf16 = Bf16;
}
