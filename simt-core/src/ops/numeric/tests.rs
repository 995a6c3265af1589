//! Each row on values worked by hand.

use super::*;

/// The method on operands of any types, and what must come out.
macro_rules! check {
    ($op:ident($($arg:expr),+) == $expected:expr) => {
        let result = evaluate_numeric(NumericOp::$op, [$(Constant::of($arg)),+].into());
        assert_eq!(result, Ok(Constant::of($expected)), "{}", stringify!($op($($arg),+)));
    };
    ($op:ident($($arg:expr),+) faults $fault:ident) => {
        let result = evaluate_numeric(NumericOp::$op, [$(Constant::of($arg)),+].into());
        assert_eq!(result, Err(ArithmeticFault::$fault), "{}", stringify!($op($($arg),+)));
    };
}

/// The result is within `error` of what is expected: half a unit in the last place of a number near 1 is 6e-8 or 1.1e-16.
macro_rules! check_near {
    ($op:ident($($arg:expr),+) == $expected:expr, $error:expr) => {
        let result = evaluate_numeric(NumericOp::$op, [$(Constant::of($arg)),+].into()).map(|c| f64::from_bits64(c.bits));
        assert!((result.unwrap_or(f64::NAN) - $expected).abs() <= $error, "{}: {result:?}", stringify!($op($($arg),+)));
    };
}

#[test]
fn order_and_sign() {
    check!(Min(3u8, 200u8) == 3u8);
    check!(Min(-3i8, 2i8) == -3i8);
    check!(Min(0.0f32, -0.0f32) == -0.0f32);
    check!(Min(-0.0f64, 0.0f64) == -0.0f64);
    check!(Min(f32::NAN, 7.0f32) == 7.0f32);
    check!(Min(7.0f32, f32::NAN) == 7.0f32);
    check!(Max(3u64, u64::MAX) == u64::MAX);
    check!(Max(-3isize, 2isize) == 2isize);
    check!(Max(-0.0f32, 0.0f32) == 0.0f32);
    check!(Max(0.0f32, -0.0f32) == 0.0f32);
    check!(Max(f64::NEG_INFINITY, f64::NAN) == f64::NEG_INFINITY);
    check!(Clamp(7i32, -1i32, 5i32) == 5i32);
    check!(Clamp(-7i64, -1i64, 5i64) == -1i64);
    check!(Clamp(0.5f32, 0.0f32, 1.0f32) == 0.5f32);
    check!(Clamp(7u8, 5u8, 4u8) faults ClampBounds);
    check!(Clamp(0.5f64, 0.0f64, f64::NAN) faults ClampBounds);
    check!(Abs(-5i16) == 5i16);
    check!(Abs(i16::MIN) == i16::MIN);
    check!(Abs(-0.5f64) == 0.5f64);
    check!(UnsignedAbs(i8::MIN) == 128u8);
    check!(UnsignedAbs(-3isize) == 3usize);
    check!(AbsDiff(3u8, 250u8) == 247u8);
    check!(AbsDiff(-100i8, 100i8) == 200u8);
    check!(AbsDiff(i32::MIN, i32::MAX) == u32::MAX);
    check!(Signum(-7i64) == -1i64);
    check!(Signum(0i8) == 0i8);
    check!(Signum(-0.0f32) == -1.0f32);
    check!(IsPositive(0i32) == false);
    check!(IsPositive(1i8) == true);
    check!(IsNegative(-1isize) == true);
    check!(Copysign(3.0f32, -0.0f32) == -3.0f32);
    check!(Copysign(-3.0f32, -f32::NAN) == 3.0f32);
    check!(IsSignNegative(-0.0f64) == true);
    check!(IsSignNegative(-f64::NAN) == false);
    check!(IsSignPositive(-f32::NAN) == true);
    check!(IsSignPositive(-1.0f32) == false);
}

#[test]
fn integers_that_do_not_wrap() {
    check!(SaturatingAdd(250u8, 10u8) == 255u8);
    check!(SaturatingAdd(-100i8, -100i8) == -128i8);
    check!(SaturatingSub(3u32, 5u32) == 0u32);
    check!(SaturatingMul(i64::MIN, 2i64) == i64::MIN);
    check!(SaturatingMul(i64::MIN, -1i64) == i64::MAX);
    check!(SaturatingPow(3u8, 6u32) == 255u8);
    check!(AddOverflows(250u8, 5u8) == false);
    check!(AddOverflows(250u8, 6u8) == true);
    check!(SubOverflows(i32::MIN, 1i32) == true);
    check!(SubOverflows(3usize, 4usize) == true);
    check!(MulOverflows(1u64 << 32, 1u64 << 32) == true);
    check!(MulOverflows(-1i8, -128i8) == true);
    check!(PowOverflows(2u8, 7u32) == false);
    check!(PowOverflows(2u8, 8u32) == true);
    check!(NegOverflows(i16::MIN) == true);
    check!(NegOverflows(0u16) == false);
    check!(NegOverflows(1u16) == true);
    check!(DivOverflows(i32::MIN, -1i32) == true);
    check!(DivOverflows(7u8, 0u8) == true);
    check!(DivOverflows(7u8, 7u8) == false);
}

#[test]
fn integer_arithmetic() {
    check!(Pow(3u32, 4u32) == 81u32);
    check!(Pow(-2i8, 7u32) == -128i8);
    check!(Pow(16u8, 2u32) == 0u8);
    check!(Isqrt(99u8) == 9u8);
    check!(Isqrt(100i64) == 10i64);
    check!(Isqrt(-1i8) faults SquareRoot);
    check!(Ilog2(1u8) == 0u32);
    check!(Ilog2(u64::MAX) == 63u32);
    check!(Ilog2(0u32) faults Logarithm);
    check!(Ilog10(999i16) == 2u32);
    check!(Ilog10(-1i16) faults Logarithm);
    check!(Ilog(81u32, 3u32) == 4u32);
    check!(Ilog(81u32, 1u32) faults Logarithm);
    check!(DivEuclid(-7i32, 3i32) == -3i32);
    check!(DivEuclid(7i32, -3i32) == -2i32);
    check!(DivEuclid(i8::MIN, -1i8) == i8::MIN);
    check!(DivEuclid(7u8, 0u8) faults DivisionByZero);
    check!(DivEuclid(-7.5f32, 2.0f32) == -4.0f32);
    check!(RemEuclid(-7i32, 3i32) == 2i32);
    check!(RemEuclid(-7i32, -3i32) == 2i32);
    check!(RemEuclid(i64::MIN, -1i64) == 0i64);
    check!(RemEuclid(0i64, 0i64) faults RemainderByZero);
    check!(RemEuclid(-7.5f64, 2.0f64) == 0.5f64);
    check!(DivCeil(7u32, 2u32) == 4u32);
    check!(DivCeil(0u8, 2u8) == 0u8);
    check!(DivCeil(1u8, 0u8) faults DivisionByZero);
    check!(NextMultipleOf(7u32, 4u32) == 8u32);
    check!(NextMultipleOf(255u8, 2u8) == 0u8);
    check!(NextMultipleOf(7usize, 0usize) faults RemainderByZero);
    check!(IsMultipleOf(12u8, 4u8) == true);
    check!(IsMultipleOf(12u8, 5u8) == false);
    check!(IsMultipleOf(0u8, 0u8) == true);
    check!(IsMultipleOf(3u8, 0u8) == false);
    check!(IsPowerOfTwo(64u16) == true);
    check!(IsPowerOfTwo(0u16) == false);
    check!(NextPowerOfTwo(65u32) == 128u32);
    check!(NextPowerOfTwo(0u32) == 1u32);
    check!(NextPowerOfTwo(129u8) == 0u8);
    check!(CarryingMulHigh(255u8, 255u8, 255u8) == 255u8);
    check!(CarryingMulHigh(16u16, 4096u16, 0u16) == 1u16);
    check!(CarryingMulHigh(1u64 << 63, 2u64, u64::MAX) == 1u64);
    check!(CarryingMulHigh(u64::MAX, u64::MAX, 0u64) == u64::MAX - 1);
    check!(CarryingMulHigh(1usize << 31, 4usize, 5usize) == 2usize);
}

#[test]
fn bits() {
    check!(CountOnes(0b1011u8) == 3u32);
    check!(CountOnes(-1i64) == 64u32);
    check!(CountZeros(0b1011u8) == 5u32);
    check!(LeadingZeros(1i16) == 15u32);
    check!(LeadingZeros(0usize) == 32u32);
    check!(LeadingOnes(0xf0u8) == 4u32);
    check!(TrailingZeros(0u8) == 8u32);
    check!(TrailingZeros(0x100i64) == 8u32);
    check!(TrailingOnes(0x0fu16) == 4u32);
    check!(RotateLeft(0x81u8, 1u32) == 0x03u8);
    check!(RotateLeft(0x8000_0001u32, 36u32) == 0x0000_0018u32);
    check!(RotateRight(0x01i8, 1u32) == i8::MIN);
    check!(SwapBytes(0x1234u16) == 0x3412u16);
    check!(SwapBytes(0x12u8) == 0x12u8);
    check!(ReverseBits(0x01u32) == 0x8000_0000u32);
    check!(ToBits(-0.0f32) == 0x8000_0000u32);
    check!(ToBits(-f64::NAN) == 0x7ff8_0000_0000_0000u64);
    check!(ToBits(f32::from_bits(0x7f80_0001)) == 0x7fc0_0000u32);
    check!(FromBits(0x3fc0_0000u32) == 1.5f32);
    check!(FromBits(0xc000_0000_0000_0000u64) == -2.0f64);
}

#[test]
fn floats_that_are_exact() {
    check!(Sqrt(2.25f32) == 1.5f32);
    check!(Cbrt(-27.0f64) == -3.0f64);
    check!(Recip(4.0f32) == 0.25f32);
    // The product alone would round to 1.0.
    check!(MulAdd(1.0f32 + f32::EPSILON, 1.0f32 - f32::EPSILON, -1.0f32) == -f32::EPSILON * f32::EPSILON);
    check!(Hypot(3.0f64, 4.0f64) == 5.0f64);
    check!(Floor(-1.5f32) == -2.0f32);
    check!(Ceil(-1.5f32) == -1.0f32);
    check!(Round(2.5f64) == 3.0f64);
    check!(Round(-2.5f64) == -3.0f64);
    check!(RoundTiesEven(2.5f64) == 2.0f64);
    check!(Trunc(-1.75f32) == -1.0f32);
    check!(Fract(-1.75f32) == -0.75f32);
    check!(Exp2(10.0f32) == 1024.0f32);
    check!(Log2(1024.0f64) == 10.0f64);
    check!(Log10(1000.0f64) == 3.0f64);
    check!(Powf(2.0f32, -2.0f32) == 0.25f32);
    check!(Powi(-2.0f64, 3i32) == -8.0f64);
    check!(Powi(2.0f32, -1i32) == 0.5f32);
    check!(Powi(0.5f32, 0i32) == 1.0f32);
    check!(Powi(2.0f64, i32::MIN) == 0.0f64);
    check!(IsNan(f32::NAN) == true);
    check!(IsNan(f32::INFINITY) == false);
    check!(IsFinite(f64::MAX) == true);
    check!(IsFinite(f64::INFINITY) == false);
    check!(IsInfinite(f32::NEG_INFINITY) == true);
    check!(IsInfinite(f32::NAN) == false);
}

#[test]
fn floats_that_are_rounded() {
    use std::f64::consts::{E, FRAC_PI_3, FRAC_PI_4, LN_2, PI};
    check_near!(Sin(PI / 6.0) == 0.5, 2e-16);
    check_near!(Cos(FRAC_PI_3) == 0.5, 4e-16);
    check_near!(Tan(FRAC_PI_4) == 1.0, 2e-16);
    check_near!(Asin(0.5f64) == PI / 6.0, 2e-16);
    check_near!(Acos(0.5f64) == FRAC_PI_3, 4e-16);
    check_near!(Atan(1.0f64) == FRAC_PI_4, 2e-16);
    check_near!(Atan2(1.0f64, -1.0f64) == 3.0 * FRAC_PI_4, 5e-16);
    check_near!(Sinh(LN_2) == 0.75, 2e-16);
    check_near!(Cosh(LN_2) == 1.25, 3e-16);
    check_near!(Tanh(LN_2) == 0.6, 2e-16);
    check_near!(Asinh(0.75f64) == LN_2, 2e-16);
    check_near!(Acosh(1.25f64) == LN_2, 3e-16);
    check_near!(Atanh(0.6f64) == LN_2, 2e-16);
    check_near!(Exp(1.0f64) == E, 5e-16);
    check_near!(ExpM1(1e-10f64) == 1.000_000_000_05e-10, 2e-26);
    check_near!(Ln(E) == 1.0, 2e-16);
    check_near!(Ln1p(1e-10f64) == 9.999_999_999_5e-11, 2e-26);
    check_near!(Log(81.0f64, 3.0f64) == 4.0, 1e-15);
    check_near!(ToDegrees(PI) == 180.0, 3e-14);
    check_near!(ToRadians(180.0f64) == PI, 5e-16);
}

#[test]
fn strict_rows_fault_instead_of_wrapping() {
    check!(StrictAdd(250u8, 5u8) == 255u8);
    check!(StrictAdd(250u8, 6u8) faults Overflow);
    check!(StrictAdd(-100i8, -29i8) faults Overflow);
    check!(StrictAdd(u32::MAX as usize, 1usize) faults Overflow);
    check!(StrictSub(3u32, 4u32) faults Overflow);
    check!(StrictMul(1u64 << 32, 1u64 << 31) == 1u64 << 63);
    check!(StrictMul(1u64 << 32, 1u64 << 32) faults Overflow);
    check!(StrictDiv(i32::MIN, -1i32) faults Overflow);
    check!(StrictDiv(i32::MIN, 0i32) faults DivisionByZero);
    check!(StrictRem(i16::MIN, -1i16) faults Overflow);
    check!(StrictRem(7i16, 0i16) faults RemainderByZero);
    check!(StrictDivEuclid(-7i8, 2i8) == -4i8);
    check!(StrictDivEuclid(i8::MIN, -1i8) faults Overflow);
    check!(StrictDivEuclid(i8::MIN, 0i8) faults DivisionByZero);
    check!(StrictRemEuclid(i64::MIN, -1i64) faults Overflow);
    check!(StrictRemEuclid(i64::MIN, 0i64) faults RemainderByZero);
    check!(StrictNeg(i8::MIN) faults Overflow);
    check!(StrictNeg(5i8) == -5i8);
    check!(StrictAbs(i64::MIN) faults Overflow);
    check!(StrictPow(2u8, 7u32) == 128u8);
    check!(StrictPow(2u8, 8u32) faults Overflow);
    check!(StrictShl(1u8, 7u32) == 128u8);
    check!(StrictShl(1u8, 8u32) faults Overflow);
    check!(StrictShr(-8i64, 63u32) == -1i64);
    check!(StrictShr(-8i64, 64u32) faults Overflow);
    check!(StrictNextMultipleOf(201u8, 100u8) faults Overflow);
    check!(StrictNextMultipleOf(7u8, 0u8) faults RemainderByZero);
    check!(StrictNextPowerOfTwo(129u8) faults Overflow);
    check!(StrictNextPowerOfTwo(65u8) == 128u8);
    check!(StrictDiv(7u8, 0u8) faults DivisionByZero);
    check!(StrictDiv(255u8, 255u8) == 1u8);
    check!(StrictRem(7u32, 0u32) faults RemainderByZero);
    check!(StrictRemEuclid(7usize, 4usize) == 3usize);
    check!(StrictDivEuclid(7u64, 0u64) faults DivisionByZero);
    check!(StrictNeg(0u16) == 0u16);
    check!(StrictNeg(1u16) faults Overflow);
    check!(StrictAddSigned(3u8, -3i8) == 0u8);
    check!(StrictAddSigned(3u8, -4i8) faults Overflow);
    check!(StrictAddSigned(u32::MAX as usize, 1isize) faults Overflow);
    check!(StrictSubSigned(250u8, -5i8) == 255u8);
    check!(StrictSubSigned(250u8, -6i8) faults Overflow);
    check!(StrictSubSigned(0u64, i64::MIN) == 1u64 << 63);
    check!(StrictAddUnsigned(-128i8, 255u8) == 127i8);
    check!(StrictAddUnsigned(-127i8, 255u8) faults Overflow);
    check!(StrictSubUnsigned(i64::MAX, u64::MAX) == i64::MIN);
    check!(StrictSubUnsigned(-1isize, 1usize << 31) faults Overflow);
}

#[test]
fn a_row_has_its_types() {
    for &op in NumericOp::ALL {
        assert!((1..=3).contains(&op.args().len()), "{op:?}");
        assert!(ScalarType::ALL.iter().any(|&ty| op.accepts(ty)), "{op:?} is of some type's");
        assert!(!op.accepts(ScalarType::Bool), "{op:?}");
        let of_words = op.accepts(ScalarType::U32) && op != NumericOp::FromBits;
        assert_eq!(of_words, op.accepts(ScalarType::Usize), "{op:?}");
        let faults = ScalarType::ALL.iter().filter(|&&ty| op.accepts(ty)).any(|&ty| op.fault(ty).is_some());
        assert_eq!(faults, op.row_fault().is_some(), "{op:?}");
    }
}

#[test]
fn known_operands_that_cannot_fault_are_seen() {
    let known = |value: i32| Some(Constant::of(value));
    let ty = ScalarType::I32;
    assert!(!NumericOp::Clamp.can_fault(ty, &[None, known(-1), known(1)]));
    assert!(NumericOp::Clamp.can_fault(ty, &[None, known(1), known(-1)]));
    assert!(NumericOp::Clamp.can_fault(ty, &[known(1), None, known(1)]));
    assert!(!NumericOp::RemEuclid.can_fault(ty, &[None, known(3)]));
    assert!(NumericOp::RemEuclid.can_fault(ty, &[None, known(0)]));
    assert!(NumericOp::RemEuclid.can_fault(ty, &[known(3), None]));
    assert!(!NumericOp::RemEuclid.can_fault(ScalarType::F32, &[None, None]));
    assert!(NumericOp::Ilog2.can_fault(ty, &[None]));
    assert!(!NumericOp::Isqrt.can_fault(ScalarType::U8, &[None]));
    assert!(NumericOp::StrictAdd.can_fault(ty, &[None, known(3)]));
    assert!(NumericOp::StrictShl.can_fault(ty, &[None, known(32)]));
    assert!(!NumericOp::StrictShl.can_fault(ty, &[None, known(31)]));
    assert!(!NumericOp::StrictDiv.can_fault(ty, &[None, known(3)]));
    assert!(NumericOp::StrictDiv.can_fault(ty, &[None, known(-1)]));
    assert!(NumericOp::StrictDiv.can_fault(ty, &[None, known(0)]));
    assert!(NumericOp::StrictNeg.can_fault(ty, &[None]));
}

#[test]
fn no_row_came_later_before_the_strict_ones() {
    let first = NumericOp::ALL.iter().position(|op| op.is_strict());
    assert_eq!(first, Some(87), "`simt-testing` draws from those before: its random programs would be others");
}
