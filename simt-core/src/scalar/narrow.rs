//! The values of the 16-bit floats, which no type of std has: bits of sign, exponent and fraction as an `f32`.

use super::{Constant, ScalarType};

/// Bits of the fraction of an `f16`.
pub(crate) const F16: u32 = 10;
/// Bits of the fraction of a `bf16`.
pub(crate) const BF16: u32 = 7;

/// Fraction bits of an `f32`.
const F32: u32 = f32::MANTISSA_DIGITS - 1;

/// The exponent's bias, which is also the greatest exponent.
pub(crate) const fn bias(fraction: u32) -> i32 {
    (1 << (14 - fraction)) - 1
}

/// The bits of infinity.
pub(crate) const fn infinity(fraction: u32) -> u64 {
    (1 << 15) - (1 << fraction)
}

/// The `f32` of the same value.
pub(crate) fn to_f32<const FRACTION: u32>(bits: u64) -> f32 {
    let (sign, magnitude) = (bits as u32 >> 15 << 31, bits as u32 & 0x7fff);
    let shifted = magnitude << (F32 - FRACTION);
    if u64::from(magnitude) >= infinity(FRACTION) {
        return f32::from_bits(sign | f32::INFINITY.to_bits() | shifted);
    }
    // The exponent has another bias; that of a subnormal number comes right by the multiplication, too.
    let scale = f32::from_bits(((2 * f32::MAX_EXP - 2 - bias(FRACTION)) as u32) << F32);
    f32::from_bits(sign | (f32::from_bits(shifted) * scale).to_bits())
}

/// The value of a constant of a 16-bit float's type as the `f32` of the same value.
///
/// ```
/// use simt_core::scalar::widen;
/// use simt_core::{Constant, ScalarType};
/// assert_eq!(widen(Constant { ty: ScalarType::F16, bits: 0x3e00 }), 1.5);
/// ```
pub fn widen(constant: Constant) -> f32 {
    if constant.ty == ScalarType::F16 { to_f32::<F16>(constant.bits) } else { to_f32::<BF16>(constant.bits) }
}
