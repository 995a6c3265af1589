//! The 16-bit floats agree with the crate `half`, and round once.

use super::super::{BinaryOp, CompareOp, UnaryOp};
use super::super::{NumericOp, evaluate_binary, evaluate_cast, evaluate_compare, evaluate_numeric, evaluate_unary};
use super::*;
use crate::scalar::Constant;
use ::half::{bf16, f16};

/// Every value of both types, as its bits.
fn all() -> impl Iterator<Item = u64> {
    0..1 << 16
}

/// Bits of values at all kinds of places: each end of each exponent, and what lies between.
fn some() -> impl Iterator<Item = u64> {
    all().filter(|bits| matches!(bits & 0x7f, 0 | 1 | 0x35 | 0x7f))
}

fn f16_of(bits: u64) -> f16 {
    f16::from_bits(bits as u16)
}

fn bf16_of(bits: u64) -> bf16 {
    bf16::from_bits(bits as u16)
}

fn half(ty: ScalarType, bits: u64) -> Constant {
    Constant { ty, bits }
}

#[test]
fn each_value_widens_and_comes_back() {
    for bits in all() {
        let (wide, wide_b) = (to_f32::<F16>(bits), to_f32::<BF16>(bits));
        if f16_of(bits).is_nan() {
            assert!(wide.is_nan(), "{bits:x}");
            assert_eq!(round::<F16>(wide.into()), f16::NAN.to_bits().into());
        } else {
            assert_eq!(wide.to_bits(), f16_of(bits).to_f32().to_bits(), "{bits:x}");
            assert_eq!(round::<F16>(wide.into()), bits);
        }
        if bf16_of(bits).is_nan() {
            assert!(wide_b.is_nan(), "{bits:x}");
            assert_eq!(round::<BF16>(wide_b.into()), bf16::NAN.to_bits().into());
        } else {
            assert_eq!(wide_b.to_bits(), bf16_of(bits).to_f32().to_bits(), "{bits:x}");
            assert_eq!(round::<BF16>(wide_b.into()), bits);
        }
    }
}

/// Around each value and each middle between two: that number, and those next to it.
#[test]
fn what_lies_between_two_values_goes_to_the_nearest() {
    fn around(value: f32) -> [f32; 3] {
        [value.next_down(), value, value.next_up()]
    }
    for bits in all() {
        let (low, high) = (to_f32::<F16>(bits), to_f32::<F16>(bits + 1));
        for value in [around(low), around((low + high) / 2.0)].into_iter().flatten().filter(|value| !value.is_nan()) {
            assert_eq!(round::<F16>(value.into()), f16::from_f32(value).to_bits().into(), "{value:e}");
        }
        // The middle of two `bf16`s is an `f32`, but for the largest, where it is not twice the sum.
        let middle = f32::from_bits((bits as u32) << 16 | 0x8000);
        for value in
            [around(to_f32::<BF16>(bits)), around(middle)].into_iter().flatten().filter(|value| !value.is_nan())
        {
            assert_eq!(round::<BF16>(value.into()), bf16::from_f32(value).to_bits().into(), "{value:e}");
        }
    }
}

#[test]
fn halves_go_to_even_and_beyond_the_last_is_infinity() {
    for (value, bits) in [
        (2049.0, 0x6800),
        (2051.0, 0x6802),
        (65519.99, 0x7bff),
        (65520.0, 0x7c00),
        (-1e300, 0xfc00),
        (f64::from_bits(1), 0),
        (2f64.powi(-25), 0),
        (2f64.powi(-25) * 1.000_001, 1),
        (-(2f64.powi(-24)), 0x8001),
        (2f64.powi(-14) * (1.0 - 2f64.powi(-12)), 0x0400),
        // `f32` takes it for the middle, of which the even one is below.
        (1.0 + 2f64.powi(-11) + 2f64.powi(-40), 0x3c01),
    ] {
        assert_eq!(round::<F16>(value), bits, "{value:e}");
    }
    for (value, bits) in [(257.0, 0x4380), (259.0, 0x4382), (3.4e38, 0x7f80), (-0.0, 0x8000), (1e-45, 0), (7e-41, 1)] {
        assert_eq!(round::<BF16>(value), bits, "{value:e}");
    }
}

/// The operators of the crate `half`, on all pairs of some values.
#[test]
fn operators_are_those_of_the_crate_half() {
    macro_rules! check {
        ($ty:ident, $of:ident, $variant:ident) => {
            let canonical = |value: $ty| if value.is_nan() { $ty::NAN } else { value };
            for (a, b) in some().step_by(3).flat_map(|a| some().step_by(7).map(move |b| (a, b))) {
                let (left, right) = (half(ScalarType::$variant, a), half(ScalarType::$variant, b));
                let (x, y) = ($of(a), $of(b));
                for (op, expected) in [
                    (BinaryOp::Add, x + y),
                    (BinaryOp::Sub, x - y),
                    (BinaryOp::Mul, x * y),
                    (BinaryOp::Div, x / y),
                    (BinaryOp::Rem, x % y),
                ] {
                    let expected = half(ScalarType::$variant, canonical(expected).to_bits().into());
                    assert_eq!(evaluate_binary(op, left, right), Ok(expected), "{op:?} {left:?} {right:?}");
                }
                assert_eq!(evaluate_compare(CompareOp::Lt, left, right), x < y, "{left:?} {right:?}");
                assert_eq!(evaluate_compare(CompareOp::Eq, left, right), x == y, "{left:?} {right:?}");
                assert_eq!(evaluate_unary(UnaryOp::Neg, left).bits, u64::from(canonical(-x).to_bits()), "{left:?}");
            }
        };
    }
    check!(f16, f16_of, F16);
    check!(bf16, bf16_of, Bf16);
}

#[test]
fn methods_are_those_of_f32_rounded() {
    for bits in all() {
        for (op, function) in [
            (NumericOp::Sqrt, f32::sqrt as fn(f32) -> f32),
            (NumericOp::Floor, f32::floor),
            (NumericOp::Abs, f32::abs),
            (NumericOp::Recip, f32::recip),
        ] {
            let expected = bf16::from_f32(function(bf16_of(bits).to_f32()));
            let expected = if expected.is_nan() { bf16::NAN } else { expected };
            let found = evaluate_numeric(op, [half(ScalarType::Bf16, bits)].into());
            assert_eq!(found, Ok(half(ScalarType::Bf16, expected.to_bits().into())), "{op:?} {bits:x}");
        }
    }
    let f16 = |value: f32| half(ScalarType::F16, f16::from_f32(value).to_bits().into());
    assert_eq!(evaluate_numeric(NumericOp::Min, [f16(f32::NAN), f16(2.0)].into()), Ok(f16(2.0)));
    assert_eq!(evaluate_numeric(NumericOp::Exp2, [f16(10.0)].into()), Ok(f16(1024.0)));
    assert_eq!(evaluate_numeric(NumericOp::Powi, [f16(-2.0), Constant::of(3i32)].into()), Ok(f16(-8.0)));
    assert_eq!(evaluate_numeric(NumericOp::IsNan, [f16(f32::NAN)].into()), Ok(Constant::of(true)));
    assert!(evaluate_numeric(NumericOp::Clamp, [f16(1.0), f16(2.0), f16(1.0)].into()).is_err());
    // The bits of any value come back, those of a NaN too.
    let bits = Constant::of(0xfe01u16);
    for (op, ty) in [(NumericOp::FromBitsF16, ScalarType::F16), (NumericOp::FromBitsBf16, ScalarType::Bf16)] {
        assert_eq!(evaluate_numeric(op, [bits].into()), Ok(half(ty, 0xfe01)));
        assert_eq!(evaluate_numeric(NumericOp::ToBits, [half(ty, 0xfe01)].into()), Ok(bits));
    }
    assert!(!NumericOp::FromBits.accepts(ScalarType::U16) && !NumericOp::FromBitsF16.accepts(ScalarType::U32));
}

/// The product is the middle of two `bf16`s, and what is added is lost in an `f64`, too.
#[test]
fn mul_add_rounds_once() {
    let bf16 = |value: f32| half(ScalarType::Bf16, bf16::from_f32(value).to_bits().into());
    let mul_add = |a, b, c| evaluate_numeric(NumericOp::MulAdd, [bf16(a), bf16(b), bf16(c)].into());
    assert_eq!(mul_add(3.0, 87.0, 0.0), Ok(bf16(260.0)));
    assert_eq!(mul_add(3.0, 87.0, 1e-30), Ok(bf16(262.0)));
    assert_eq!(mul_add(3.0, 87.0, -1e-30), Ok(bf16(260.0)));
    assert_eq!(mul_add(-3.0, 87.0, -1e-30), Ok(bf16(-262.0)));
    assert_eq!(mul_add(5.0, 51.0, 2.0), Ok(bf16(256.0)), "257, whose even neighbour is below");
    assert_eq!(mul_add(f32::INFINITY, 1.0, f32::NEG_INFINITY), Ok(bf16(f32::NAN)));
    assert_eq!(mul_add(f32::INFINITY, 1.0, 1.0), Ok(bf16(f32::INFINITY)));
    assert_eq!(mul_add(-0.0, 1.0, -0.0), Ok(bf16(-0.0)));
    let f16 = |value: f32| half(ScalarType::F16, f16::from_f32(value).to_bits().into());
    let args = [f16(1.0 + 0.000_976_562_5), f16(1.0 - 0.000_976_562_5), f16(-1.0)];
    assert_eq!(evaluate_numeric(NumericOp::MulAdd, args.into()), Ok(f16(-9.536_743e-7)));
}

#[test]
fn conversions_round_once() {
    #[track_caller]
    fn check(from: Constant, ty: ScalarType, bits: u64) {
        assert_eq!(evaluate_cast(from, ty), half(ty, bits), "{from:?}");
    }
    use ScalarType::{Bf16, F16, F64, I8, U8};
    check(Constant::of(-1i8), F16, 0xbc00);
    check(Constant::of(2049u16), F16, 0x6800);
    check(Constant::of(u64::MAX), F16, 0x7c00);
    check(Constant::of(u64::MAX), Bf16, 0x5f80);
    check(Constant::of(i64::MIN), Bf16, 0xdf00);
    // Half way, and a little more, which neither `f32` nor `f64` sees.
    check(Constant::of((257u64 << 55) + 1), Bf16, 0x5f01);
    check(Constant::of(-(257i64 << 54) - 1), Bf16, 0xde81);
    check(Constant::of(257u64 << 55), Bf16, 0x5f00);
    check(Constant::of((257u32 << 20) + 1), Bf16, 0x4d81);
    check(Constant::of(1.0 + 2f64.powi(-11) + 2f64.powi(-40)), F16, 0x3c01);
    check(half(F16, 0x7e01), F16, 0x7e01);
    check(half(F16, 0x7bff), Bf16, 0x4780);
    check(half(Bf16, 0x4780), F16, 0x7c00);
    check(half(Bf16, 0xc2ff), I8, 0x81);
    check(half(Bf16, 0x7fc0), U8, 0);
    check(half(F16, 0x3555), F64, 0.333_251_953_125f64.to_bits());
    assert_eq!(half(F16, 0x2e66).to_string(), "0.099975586");
}
