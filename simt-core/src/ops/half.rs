//! The 16-bit floats, `f16` and `bf16`: what an operation means on them, from what it means on `f32`.
//!
//! There is one rule. An operation widens its operands to `f32`, which is exact, does what it does on `f32`, and rounds the
//! result to the nearest value that the type has, of two equally near ones to the even one. So do the operators of the crate
//! `half`. For `+ - * / sqrt` it is as if there were a single rounding, because an `f32` has more than twice the digits.
//!
//! * `mul_add` rounds once, as CUDA's [`__hfma`]: its product and sum are those of `f64`, rounded to odd.
//! * A conversion rounds once, too, whatever it converts from: also a `u64` or an `f64`.
//! * Every operation gives the canonical NaN; `to_bits`, `from_bits` and whatever only copies keep the bits of one.
//!
//! A value is kept as its bits: 5 of exponent and 10 of fraction, CUDA's [`__half`], or 8 and 7, its [`__nv_bfloat16`].
//!
//! [`__half`]: https://docs.nvidia.com/cuda/cuda-math-api/cuda_math_api/struct____half.html
//! [`__nv_bfloat16`]: https://docs.nvidia.com/cuda/cuda-math-api/cuda_math_api/struct____nv__bfloat16.html
//! [`__hfma`]: https://docs.nvidia.com/cuda/cuda-math-api/cuda_math_api/group__CUDA__MATH____HALF__ARITHMETIC.html

#[cfg(feature = "half")]
mod types;

use super::{BinaryMeaning, CastMeaning, CompareMeaning, NumericFn, NumericMeaning, UnaryMeaning, with_machine_type};
use crate::scalar::{BF16, F16, Scalar, ScalarType, bias, infinity, to_f32};
use std::marker::PhantomData;

/// Fraction bits of an `f64`.
const F64: u32 = f64::MANTISSA_DIGITS - 1;

/// The bits of the nearest value; of two equally near ones the even one.
fn round<const FRACTION: u32>(value: f64) -> u64 {
    if value.is_nan() {
        return infinity(FRACTION) | 1 << (FRACTION - 1);
    }
    let sign = value.to_bits() >> 63 << 15;
    let exponent = ((value.to_bits() >> F64) & 0x7ff) as i32 - (f64::MAX_EXP - 1);
    if exponent > bias(FRACTION) {
        return sign | infinity(FRACTION);
    }
    // In units of the last place, whose number has `FRACTION + 1` bits unless the value is subnormal.
    let least = 1 - bias(FRACTION);
    let exponent = exponent.max(least);
    let unit = exponent - FRACTION as i32;
    let per_unit = f64::from_bits(((f64::MAX_EXP - 1 - unit) as u64) << F64);
    let units = (value.abs() * per_unit).round_ties_even() as u64;
    // The highest bit of the number counts the exponent up by one; so does a carry, up to infinity.
    sign | ((((exponent - least) as u64) << FRACTION) + units)
}

/// What an operation means on bits of values, of which the 16-bit floats have so many bits of fraction.
pub(super) trait Meaning {
    fn on<const FRACTION: u32>(bits: [u64; 3]) -> Option<u64>;
}

/// The meaning for a type; none if it is no 16-bit float.
pub(super) fn meaning<M: Meaning>(ty: ScalarType) -> Option<NumericFn> {
    match ty {
        ScalarType::F16 => Some(M::on::<F16>),
        ScalarType::Bf16 => Some(M::on::<BF16>),
        _ => None,
    }
}

/// A unary operation.
pub(super) struct Unary<M>(PhantomData<M>);

impl<M: UnaryMeaning<f32>> Meaning for Unary<M> {
    fn on<const FRACTION: u32>([a, ..]: [u64; 3]) -> Option<u64> {
        Some(round::<FRACTION>(M::apply(to_f32::<FRACTION>(a)).into()))
    }
}

/// A binary operation.
pub(super) struct Binary<M>(PhantomData<M>);

impl<M: BinaryMeaning<f32>> Meaning for Binary<M> {
    fn on<const FRACTION: u32>([a, b, _]: [u64; 3]) -> Option<u64> {
        Some(round::<FRACTION>(M::apply(to_f32::<FRACTION>(a), to_f32::<FRACTION>(b)).into()))
    }
}

/// A comparison.
pub(super) struct Compare<M>(PhantomData<M>);

impl<M: CompareMeaning<f32>> Meaning for Compare<M> {
    fn on<const FRACTION: u32>([a, b, _]: [u64; 3]) -> Option<u64> {
        Some(M::apply(to_f32::<FRACTION>(a), to_f32::<FRACTION>(b)).into())
    }
}

/// A numeric method on operands of the types in the tuple `A`.
pub(super) struct Method<M, A>(PhantomData<(M, A)>);

impl<M: NumericMeaning<A, Output: Outcome>, A: Operands> Meaning for Method<M, A> {
    fn on<const FRACTION: u32>(bits: [u64; 3]) -> Option<u64> {
        M::apply(A::read::<FRACTION>(bits)).bits::<FRACTION>()
    }
}

/// An operand of a method.
trait Operand {
    fn read<const FRACTION: u32>(bits: u64) -> Self;
}
impl Operand for f32 {
    fn read<const FRACTION: u32>(bits: u64) -> Self {
        to_f32::<FRACTION>(bits)
    }
}
impl Operand for i32 {
    fn read<const FRACTION: u32>(bits: u64) -> Self {
        Self::from_bits64(bits)
    }
}

/// A tuple of operands.
pub(super) trait Operands {
    fn read<const FRACTION: u32>(bits: [u64; 3]) -> Self;
}
impl<A: Operand> Operands for (A,) {
    fn read<const FRACTION: u32>([a, ..]: [u64; 3]) -> Self {
        (A::read::<FRACTION>(a),)
    }
}
impl<A: Operand, B: Operand> Operands for (A, B) {
    fn read<const FRACTION: u32>([a, b, _]: [u64; 3]) -> Self {
        (A::read::<FRACTION>(a), B::read::<FRACTION>(b))
    }
}
impl<A: Operand, B: Operand, C: Operand> Operands for (A, B, C) {
    fn read<const FRACTION: u32>([a, b, c]: [u64; 3]) -> Self {
        (A::read::<FRACTION>(a), B::read::<FRACTION>(b), C::read::<FRACTION>(c))
    }
}

/// The result of a method.
pub(super) trait Outcome {
    fn bits<const FRACTION: u32>(self) -> Option<u64>;
}
impl Outcome for f32 {
    fn bits<const FRACTION: u32>(self) -> Option<u64> {
        Some(round::<FRACTION>(self.into()))
    }
}
impl Outcome for bool {
    fn bits<const FRACTION: u32>(self) -> Option<u64> {
        Some(self.into())
    }
}
impl Outcome for Option<f32> {
    fn bits<const FRACTION: u32>(self) -> Option<u64> {
        self?.bits::<FRACTION>()
    }
}

/// `a * b + c`, rounded once.
pub(super) struct MulAdd;

impl Meaning for MulAdd {
    fn on<const FRACTION: u32>(bits: [u64; 3]) -> Option<u64> {
        let [a, b, c] = bits.map(|bits| f64::from(to_f32::<FRACTION>(bits)));
        // An `f64` has all digits of the product.
        Some(round::<FRACTION>(sum_to_odd(a * b, c)))
    }
}

/// The sum; where an `f64` does not have it, the neighbour whose last bit is 1. So rounded, a number is never taken for one
/// half way between two shorter ones, and can be rounded again ("round to odd", Boldo and Melquiond 2008).
fn sum_to_odd(a: f64, b: f64) -> f64 {
    let sum = a + b;
    // What was lost, exactly (Knuth's TwoSum). A NaN, as of infinities, is none.
    let from_b = sum - a;
    let lost = (a - (sum - from_b)) + (b - from_b);
    let is_exact = lost == 0.0 || lost.is_nan();
    if is_exact || sum.to_bits() & 1 == 1 {
        return sum;
    }
    let is_larger = (lost > 0.0) == (sum > 0.0);
    f64::from_bits(if is_larger { sum.to_bits() + 1 } else { sum.to_bits() - 1 })
}

/// A number as an `f64` that can be rounded again.
trait ToOdd {
    fn to_odd(self) -> f64;
}

macro_rules! to_odd {
    ($($ty:ident: |$value:ident| $odd:expr;)*) => {$(
        impl ToOdd for $ty {
            fn to_odd(self) -> f64 {
                let $value = self;
                $odd
            }
        }
    )*};
}
to_odd! {
    u8: |value| value.into();
    u16: |value| value.into();
    u32: |value| value.into();
    u64: |value| sum_to_odd((value >> 32 << 32) as f64, f64::from(value as u32));
    i8: |value| value.into();
    i16: |value| value.into();
    i32: |value| value.into();
    i64: |value| sum_to_odd((value >> 32 << 32) as f64, f64::from(value as u32));
    f32: |value| value.into();
    f64: |value| value;
}

/// A conversion from a number of type `T`.
struct From<T>(PhantomData<T>);

impl<T: Scalar + ToOdd> Meaning for From<T> {
    fn on<const FRACTION: u32>([a, ..]: [u64; 3]) -> Option<u64> {
        Some(round::<FRACTION>(T::from_bits64(a).to_odd()))
    }
}

/// A conversion to a number of type `T`.
struct To<T>(PhantomData<T>);

impl<T: Scalar> Meaning for To<T>
where
    f32: CastMeaning<T>,
{
    fn on<const FRACTION: u32>([a, ..]: [u64; 3]) -> Option<u64> {
        Some(to_f32::<FRACTION>(a).cast().to_bits64())
    }
}

/// What `as` means on bits, where one of two different types is a 16-bit float and the other a number.
pub fn half_cast(from: ScalarType, to: ScalarType) -> Option<NumericFn> {
    match (from, to) {
        (ScalarType::F16, ScalarType::Bf16) => Some(|[a, ..]| Some(round::<BF16>(to_f32::<F16>(a).into()))),
        (ScalarType::Bf16, ScalarType::F16) => Some(|[a, ..]| Some(round::<F16>(to_f32::<BF16>(a).into()))),
        _ if from == to => None,
        _ if from.is_half() => {
            with_machine_type!(to, int T => meaning::<To<T>>(from), float => meaning::<To<T>>(from), bool => None)
        }
        _ if to.is_half() => {
            with_machine_type!(from, int T => meaning::<From<T>>(to), float => meaning::<From<T>>(to), bool => None)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
