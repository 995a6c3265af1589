//! Numeric methods of floats that are made of others, on their bits: which of them a number is, and its neighbours.
//!
//! So those of 16 bits have them, too: by way of an `f32`, as their rows in the table go, a subnormal one would be normal.

use super::arena::{Leaf, Operand};
use super::{Builder, IntoValue, Value};
use crate::ops::{BinaryOp, CompareOp, Float, NumericOp, UnaryOp};
use crate::scalar::{Constant, Scalar, ScalarType};
use crate::source::Span;

/// The bits of a type's fraction.
const fn fraction(ty: ScalarType) -> u64 {
    let width = match ty {
        ScalarType::F32 => 23,
        ScalarType::F16 => 10,
        ScalarType::Bf16 => 7,
        _ => 52,
    };
    (1 << width) - 1
}

/// All bits but the sign's.
fn magnitude(ty: ScalarType) -> u64 {
    (1 << (ty.bits() - 1)) - 1
}

/// The bits of a type's exponent, which are those of infinity.
fn exponent(ty: ScalarType) -> u64 {
    magnitude(ty) & !fraction(ty)
}

fn constant(ty: ScalarType, bits: u64) -> Operand {
    Operand::Leaf(Leaf::Const(Constant { ty, bits }))
}

impl Builder {
    /// `a.is_normal()`
    #[inline(never)]
    pub fn is_normal<T: Float>(&self, at: u32, a: impl IntoValue<T>) -> Value<bool> {
        let exponent = exponent(T::TYPE);
        self.has_bits_within::<T>(at, a, exponent, fraction(T::TYPE) + 1, exponent)
    }

    /// `a.is_subnormal()`
    #[inline(never)]
    pub fn is_subnormal<T: Float>(&self, at: u32, a: impl IntoValue<T>) -> Value<bool> {
        self.has_bits_within::<T>(at, a, magnitude(T::TYPE), 1, fraction(T::TYPE) + 1)
    }

    /// `a.next_up()`. May emit assignments to temporaries.
    #[inline(never)]
    pub fn next_up<T: Float>(&self, at: u32, a: impl IntoValue<T>) -> Value<T> {
        let span = self.span(at);
        let number = self.pinned::<T>(span, a);
        Value::new(self.above::<T>(span, number))
    }

    /// `a.next_down()`. May emit assignments to temporaries.
    #[inline(never)]
    pub fn next_down<T: Float>(&self, at: u32, a: impl IntoValue<T>) -> Value<T> {
        let span = self.span(at);
        let number = self.operand::<T>(span, a);
        let negative = self.unary(span, UnaryOp::Neg, T::TYPE, number);
        let negative = self.pin(span, T::TYPE, negative);
        let above = self.above::<T>(span, negative);
        Value::new(self.unary(span, UnaryOp::Neg, T::TYPE, above))
    }

    /// Half the sum of two operands that keep their values, rounded once.
    pub(super) fn half_sum(&self, span: Span, ty: ScalarType, a: Operand, b: Operand) -> Operand {
        let wide = ScalarType::F64;
        let half = || Operand::constant(0.5);
        let [a, b] = [a, b].map(|number| self.conversion(span, ty, wide, number));
        let sum = self.binary(span, BinaryOp::Add, wide, a, b);
        let of_sum = self.binary(span, BinaryOp::Mul, wide, sum, half());
        if ty != wide {
            return self.conversion(span, wide, ty, of_sum);
        }
        // Of two great numbers there is no sum; a half of a small one is rounded, but beside a great one that is not seen.
        let are_small = [a, b].map(|number| {
            let size = self.numeric(span, NumericOp::Abs, wide, [number].into());
            self.comparison(span, CompareOp::Le, wide, size, Operand::constant(f64::MAX / 2.0))
        });
        let are_small = self.binary(span, BinaryOp::And, ScalarType::Bool, are_small[0], are_small[1]);
        let halves = [a, b].map(|number| self.binary(span, BinaryOp::Mul, wide, number, half()));
        let of_halves = self.binary(span, BinaryOp::Add, wide, halves[0], halves[1]);
        self.choose(span, wide, are_small, of_sum, of_halves)
    }

    /// The float of a type with these bits.
    pub(super) fn of_bits(&self, span: Span, ty: ScalarType, bits: Operand) -> Operand {
        let op = match ty {
            ScalarType::F16 => NumericOp::FromBitsF16,
            ScalarType::Bf16 => NumericOp::FromBitsBf16,
            _ => NumericOp::FromBits,
        };
        self.numeric(span, op, NumericOp::ToBits.result().of(ty), [bits].into())
    }

    /// Whether some bits of a float, as a number, are one of `from..to`.
    fn has_bits_within<T: Float>(&self, at: u32, a: impl IntoValue<T>, mask: u64, from: u64, to: u64) -> Value<bool> {
        let (span, ty) = (self.span(at), T::Bits::TYPE);
        let number = self.operand::<T>(span, a);
        let bits = self.numeric(span, NumericOp::ToBits, T::TYPE, [number].into());
        let bits = self.binary(span, BinaryOp::And, ty, bits, constant(ty, mask));
        // What is less wraps, and is beyond then.
        let above = self.binary(span, BinaryOp::Sub, ty, bits, constant(ty, from));
        Value::new(self.comparison(span, CompareOp::Lt, ty, above, constant(ty, to - from)))
    }

    /// The least number above one that keeps its value; of a NaN, and of infinity, that is itself.
    fn above<T: Float>(&self, span: Span, number: Operand) -> Operand {
        let ty = T::Bits::TYPE;
        // Only those that are below infinity are below another number.
        let moves = self.comparison(span, CompareOp::Lt, T::TYPE, number, constant(T::TYPE, exponent(T::TYPE)));
        let moves = self.conversion(span, ScalarType::Bool, ty, moves);
        let moves = self.pin(span, ty, moves);
        // A zero without its sign: the bits of what follows it are one more.
        let number = self.binary(span, BinaryOp::Add, T::TYPE, number, constant(T::TYPE, 0));
        let bits = self.numeric(span, NumericOp::ToBits, T::TYPE, [number].into());
        let bits = self.pin(span, ty, bits);
        // Those of a negative one are one less: 1 - 2.
        let sign = self.binary(span, BinaryOp::Shr, ty, bits, Operand::constant(ty.bits() - 1));
        let back = self.binary(span, BinaryOp::And, ty, moves, sign);
        let back = self.binary(span, BinaryOp::Shl, ty, back, Operand::constant(1u32));
        let up = self.binary(span, BinaryOp::Add, ty, bits, moves);
        let bits = self.binary(span, BinaryOp::Sub, ty, up, back);
        self.of_bits(span, T::TYPE, bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What an expression of constants folds to.
    fn folded<T: Scalar>(emit: impl FnOnce(&Builder) -> Value<T>) -> T {
        let k = Builder::new("floats", "floats.rs", 1, "", "");
        let constant = emit(&k).operand.as_constant().expect("all is known");
        T::from_bits64(constant.bits)
    }

    macro_rules! check {
        ($ty:ident: $($values:expr),*) => {
            for x in [$($values),*, $ty::MIN_POSITIVE, $ty::MAX, $ty::INFINITY].into_iter().flat_map(|x| [x, -x]) {
                assert_eq!(folded(|k| k.is_normal::<$ty>(0, x)), x.is_normal(), "{x:?}");
                assert_eq!(folded(|k| k.is_subnormal::<$ty>(0, x)), x.is_subnormal(), "{x:?}");
                assert_eq!(folded(|k| k.next_up::<$ty>(0, x)).to_bits(), x.next_up().to_bits(), "{x:?}");
                assert_eq!(folded(|k| k.next_down::<$ty>(0, x)).to_bits(), x.next_down().to_bits(), "{x:?}");
                for y in [x, -x, x.next_up(), $ty::MAX, $ty::MIN, $ty::from_bits(1), 3.0] {
                    let (found, expected) = (folded(|k| k.midpoint::<$ty>(0, x, y)), x.midpoint(y));
                    let both_nan = found.is_nan() && expected.is_nan();
                    assert!(both_nan || found.to_bits() == expected.to_bits(), "{x:?} {y:?} {found:?} {expected:?}");
                }
            }
            assert!(!folded(|k| k.is_normal::<$ty>(0, $ty::NAN)) && !folded(|k| k.is_subnormal::<$ty>(0, $ty::NAN)));
            assert!(folded(|k| k.next_up::<$ty>(0, $ty::NAN)).is_nan());
            assert!(folded(|k| k.next_down::<$ty>(0, -$ty::NAN)).is_nan());
        };
    }

    #[test]
    fn parts_are_those_of_std() {
        let half = f32::MAX / 2.0;
        check!(f32: 0.0, 1.0, 0.1, f32::from_bits(1), f32::from_bits(0x007f_ffff), half, half.next_up());
        let half = f64::MAX / 2.0;
        check!(f64: 0.0, 1.0, 0.1, f64::from_bits(1), f64::from_bits((1 << 52) - 1), half, half.next_up());
    }

    #[cfg(feature = "half")]
    macro_rules! check_halves {
        ($($half:ident)*) => {$(
            let numbers = (0..=u16::MAX).map(::half::$half::from_bits).filter(|x| x.is_finite());
            let mut numbers: Vec<::half::$half> = numbers.collect();
            numbers.sort_by(|a, b| a.total_cmp(b));
            // Of the zeros, that with the sign is the neighbour of negative ones.
            for (number, &x) in numbers.iter().enumerate() {
                let above = numbers[number..].iter().find(|&&y| y > x).copied().unwrap_or(::half::$half::INFINITY);
                let below = numbers[..number].iter().rev().find(|&&y| y < x).copied();
                let below = below.unwrap_or(::half::$half::NEG_INFINITY);
                assert_eq!(folded(|k| k.next_up::<::half::$half>(0, x)).to_bits(), above.to_bits(), "{x:?}");
                assert_eq!(folded(|k| k.next_down::<::half::$half>(0, x)).to_bits(), below.to_bits(), "{x:?}");
                assert_eq!(folded(|k| k.is_normal::<::half::$half>(0, x)), x.is_normal(), "{x:?}");
                let is_subnormal = x.classify() == std::num::FpCategory::Subnormal;
                assert_eq!(folded(|k| k.is_subnormal::<::half::$half>(0, x)), is_subnormal, "{x:?}");
                let y = numbers[number * 77 % numbers.len()];
                let half = ::half::$half::from_f64((x.to_f64() + y.to_f64()) / 2.0);
                assert_eq!(folded(|k| k.midpoint::<::half::$half>(0, x, y)), half, "{x:?} {y:?}");
            }
        )*};
    }

    #[cfg(feature = "half")]
    #[test]
    fn parts_of_16_bits_are_those_of_their_order() {
        check_halves!(f16 bf16);
    }
}
