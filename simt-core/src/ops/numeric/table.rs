//! The table of numeric methods.
//!
//! A row: name, the types of operands and result (see [`Slot`](super::Slot)) with the fault if it has one, and the meaning
//! for each kind of type. The meaning of a row that can fault is `None` where it does.

/// Hands the table to a macro.
macro_rules! for_each_numeric_op {
    ($consume:ident) => {
        $consume! {
            /// The smaller one. Of a NaN and a number it is the number; `-0.0` is below `0.0`.
            Min = "min" (Same, Same -> Same), int(a, b) a.min(b), float(c, d) Real::least(c, d);
            /// The larger one. Of a NaN and a number it is the number; `0.0` is above `-0.0`.
            Max = "max" (Same, Same -> Same), int(a, b) a.max(b), float(c, d) Real::greatest(c, d);
            /// The nearest number between two bounds; a NaN stays one. The bounds must be in order.
            Clamp = "clamp" (Same, Same, Same -> Same or ClampBounds),
                int(a, b, c) (b <= c).then(|| a.clamp(b, c)), float(d, e, f) (e <= f).then(|| d.clamp(e, f));
            /// The number without its sign. Of the least integer it is that integer.
            Abs = "abs" (Same -> Same), signed(a) a.wrapping_abs(), float(b) b.abs();
            /// The number without its sign, as an unsigned one.
            UnsignedAbs = "unsigned_abs" (Same -> Unsigned), signed(a) a.unsigned_abs();
            /// The distance of two integers.
            AbsDiff = "abs_diff" (Same, Same -> Unsigned), int(a, b) a.abs_diff(b);
            /// `-1`, `0` or `1`; of a float `-1.0` or `1.0`, also for zeros, and NaN for a NaN.
            Signum = "signum" (Same -> Same), signed(a) a.signum(), float(b) b.signum();
            /// `a > 0`
            IsPositive = "is_positive" (Same -> Bool), signed(a) a.is_positive();
            /// `a < 0`
            IsNegative = "is_negative" (Same -> Bool), signed(a) a.is_negative();

            /// The sum, or the nearest integer that the type has.
            SaturatingAdd = "saturating_add" (Same, Same -> Same), int(a, b) a.saturating_add(b);
            /// The difference, or the nearest integer that the type has.
            SaturatingSub = "saturating_sub" (Same, Same -> Same), int(a, b) a.saturating_sub(b);
            /// The product, or the nearest integer that the type has.
            SaturatingMul = "saturating_mul" (Same, Same -> Same), int(a, b) a.saturating_mul(b);
            /// The power, or the nearest integer that the type has.
            SaturatingPow = "saturating_pow" (Same, U32 -> Same), int(a, b) a.saturating_pow(b);
            /// Whether the sum wraps.
            AddOverflows = "add_overflows" (Same, Same -> Bool), int(a, b) a.overflowing_add(b).1;
            /// Whether the difference wraps.
            SubOverflows = "sub_overflows" (Same, Same -> Bool), int(a, b) a.overflowing_sub(b).1;
            /// Whether the product wraps.
            MulOverflows = "mul_overflows" (Same, Same -> Bool), int(a, b) a.overflowing_mul(b).1;
            /// Whether the power wraps.
            PowOverflows = "pow_overflows" (Same, U32 -> Bool), int(a, b) a.overflowing_pow(b).1;
            /// Whether the negative wraps.
            NegOverflows = "neg_overflows" (Same -> Bool), int(a) a.overflowing_neg().1;
            /// Whether the quotient wraps, or there is none.
            DivOverflows = "div_overflows" (Same, Same -> Bool), int(a, b) a.checked_div(b).is_none();

            /// `a` to the power of `b`; wraps.
            Pow = "pow" (Same, U32 -> Same), int(a, b) a.wrapping_pow(b);
            /// The square root, rounded down.
            Isqrt = "isqrt" (Same -> Same or SquareRoot), unsigned(a) Some(a.isqrt()), signed(b) b.checked_isqrt();
            /// The logarithm to base 2, rounded down.
            Ilog2 = "ilog2" (Same -> U32 or Logarithm), int(a) a.checked_ilog2();
            /// The logarithm to base 10, rounded down.
            Ilog10 = "ilog10" (Same -> U32 or Logarithm), int(a) a.checked_ilog10();
            /// The logarithm to a base, rounded down.
            Ilog = "ilog" (Same, Same -> U32 or Logarithm), int(a, b) a.checked_ilog(b);
            /// The quotient that leaves a remainder which is not negative; wraps.
            DivEuclid = "div_euclid" (Same, Same -> Same or DivisionByZero),
                int(a, b) (b != 0).then(|| a.wrapping_div_euclid(b)), float(c, d) Some(c.div_euclid(d));
            /// The remainder that is not negative.
            RemEuclid = "rem_euclid" (Same, Same -> Same or RemainderByZero),
                int(a, b) (b != 0).then(|| a.wrapping_rem_euclid(b)), float(c, d) Some(c.rem_euclid(d));
            /// The quotient, rounded up.
            DivCeil = "div_ceil" (Same, Same -> Same or DivisionByZero),
                unsigned(a, b) (b != 0).then(|| a.div_ceil(b));
            /// The least multiple of `b` that is not below `a`; wraps.
            NextMultipleOf = "next_multiple_of" (Same, Same -> Same or RemainderByZero),
                unsigned(a, b) (b != 0).then(|| a.div_ceil(b).wrapping_mul(b));
            /// Whether `a` is a multiple of `b`; of zero only zero is.
            IsMultipleOf = "is_multiple_of" (Same, Same -> Bool), unsigned(a, b) a.checked_rem(b).unwrap_or(a) == 0;
            /// Whether exactly one bit is set.
            IsPowerOfTwo = "is_power_of_two" (Same -> Bool), unsigned(a) a.is_power_of_two();
            /// The least power of two that is not below `a`; 0 if the type does not have it.
            NextPowerOfTwo = "next_power_of_two" (Same -> Same),
                unsigned(a) a.checked_next_power_of_two().unwrap_or(0);

            /// Number of ones.
            CountOnes = "count_ones" (Same -> U32), int(a) a.count_ones();
            /// Number of zeros.
            CountZeros = "count_zeros" (Same -> U32), int(a) a.count_zeros();
            /// Number of zeros above the highest one.
            LeadingZeros = "leading_zeros" (Same -> U32), int(a) a.leading_zeros();
            /// Number of ones above the highest zero.
            LeadingOnes = "leading_ones" (Same -> U32), int(a) a.leading_ones();
            /// Number of zeros below the lowest one.
            TrailingZeros = "trailing_zeros" (Same -> U32), int(a) a.trailing_zeros();
            /// Number of ones below the lowest zero.
            TrailingOnes = "trailing_ones" (Same -> U32), int(a) a.trailing_ones();
            /// The bits, moved up; those that fall out come in below.
            RotateLeft = "rotate_left" (Same, U32 -> Same), int(a, b) a.rotate_left(b);
            /// The bits, moved down; those that fall out come in above.
            RotateRight = "rotate_right" (Same, U32 -> Same), int(a, b) a.rotate_right(b);
            /// The bytes in the opposite order.
            SwapBytes = "swap_bytes" (Same -> Same), int(a) a.swap_bytes();
            /// The bits in the opposite order.
            ReverseBits = "reverse_bits" (Same -> Same), int(a) a.reverse_bits();

            /// The square root.
            Sqrt = "sqrt" (Same -> Same), float(a) a.sqrt();
            /// The cube root.
            Cbrt = "cbrt" (Same -> Same), float(a) Real::cbrt(a);
            /// `1 / a`
            Recip = "recip" (Same -> Same), float(a) a.recip();
            /// `a * b + c`, rounded once.
            MulAdd = "mul_add" (Same, Same, Same -> Same), float(a, b, c) a.mul_add(b, c);
            /// `sqrt(a * a + b * b)`
            Hypot = "hypot" (Same, Same -> Same), float(a, b) Real::hypot(a, b);
            /// The greatest integer that is not above.
            Floor = "floor" (Same -> Same), float(a) a.floor();
            /// The least integer that is not below.
            Ceil = "ceil" (Same -> Same), float(a) a.ceil();
            /// The nearest integer; halves go away from zero.
            Round = "round" (Same -> Same), float(a) a.round();
            /// The nearest integer; halves go to the even one.
            RoundTiesEven = "round_ties_even" (Same -> Same), float(a) a.round_ties_even();
            /// The integer part.
            Trunc = "trunc" (Same -> Same), float(a) a.trunc();
            /// What `trunc` leaves.
            Fract = "fract" (Same -> Same), float(a) a.fract();
            /// `a` with the sign of `b`; a NaN counts as positive.
            Copysign = "copysign" (Same, Same -> Same), float(a, b) Real::with_sign_of(a, b);
            /// Sine of an angle in radians.
            Sin = "sin" (Same -> Same), float(a) Real::sin(a);
            /// Cosine of an angle in radians.
            Cos = "cos" (Same -> Same), float(a) Real::cos(a);
            /// Tangent of an angle in radians.
            Tan = "tan" (Same -> Same), float(a) Real::tan(a);
            /// Arcsine in radians.
            Asin = "asin" (Same -> Same), float(a) Real::asin(a);
            /// Arccosine in radians.
            Acos = "acos" (Same -> Same), float(a) Real::acos(a);
            /// Arctangent in radians.
            Atan = "atan" (Same -> Same), float(a) Real::atan(a);
            /// The angle of the point with ordinate `a` and abscissa `b`, in radians.
            Atan2 = "atan2" (Same, Same -> Same), float(a, b) Real::atan2(a, b);
            /// Hyperbolic sine.
            Sinh = "sinh" (Same -> Same), float(a) Real::sinh(a);
            /// Hyperbolic cosine.
            Cosh = "cosh" (Same -> Same), float(a) Real::cosh(a);
            /// Hyperbolic tangent.
            Tanh = "tanh" (Same -> Same), float(a) Real::tanh(a);
            /// Inverse hyperbolic sine.
            Asinh = "asinh" (Same -> Same), float(a) Real::asinh(a);
            /// Inverse hyperbolic cosine.
            Acosh = "acosh" (Same -> Same), float(a) Real::acosh(a);
            /// Inverse hyperbolic tangent.
            Atanh = "atanh" (Same -> Same), float(a) Real::atanh(a);
            /// `e` to the power of `a`.
            Exp = "exp" (Same -> Same), float(a) Real::exp(a);
            /// 2 to the power of `a`.
            Exp2 = "exp2" (Same -> Same), float(a) Real::exp2(a);
            /// `e` to the power of `a`, less 1, exact also near 0.
            ExpM1 = "exp_m1" (Same -> Same), float(a) Real::exp_m1(a);
            /// Natural logarithm.
            Ln = "ln" (Same -> Same), float(a) Real::ln(a);
            /// Natural logarithm of `1 + a`, exact also near 0.
            Ln1p = "ln_1p" (Same -> Same), float(a) Real::ln_1p(a);
            /// Logarithm to base 2.
            Log2 = "log2" (Same -> Same), float(a) Real::log2(a);
            /// Logarithm to base 10.
            Log10 = "log10" (Same -> Same), float(a) Real::log10(a);
            /// `ln(a) / ln(b)`
            Log = "log" (Same, Same -> Same), float(a, b) Real::ln(a) / Real::ln(b);
            /// `a` to the power of `b`.
            Powf = "powf" (Same, Same -> Same), float(a, b) Real::powf(a, b);
            /// `a` to the power of an integer, by repeated squaring.
            Powi = "powi" (Same, I32 -> Same), float(a, b) Real::integer_power(a, b);
            /// Radians to degrees.
            ToDegrees = "to_degrees" (Same -> Same), float(a) a.to_degrees();
            /// Degrees to radians.
            ToRadians = "to_radians" (Same -> Same), float(a) a.to_radians();
            /// Whether it is no number.
            IsNan = "is_nan" (Same -> Bool), float(a) a.is_nan();
            /// Whether it is neither infinite nor NaN.
            IsFinite = "is_finite" (Same -> Bool), float(a) a.is_finite();
            /// Whether it is infinite.
            IsInfinite = "is_infinite" (Same -> Bool), float(a) a.is_infinite();
            /// Whether the sign is negative, that of `-0.0` too; a NaN counts as positive.
            IsSignNegative = "is_sign_negative" (Same -> Bool), float(a) Real::is_below(a);
            /// Whether the sign is positive; a NaN counts as positive.
            IsSignPositive = "is_sign_positive" (Same -> Bool), float(a) !Real::is_below(a);
            /// The bits of a float; those of a NaN are the bits of Rust's `NAN`, but of a 16-bit float they are as they are.
            ToBits = "to_bits" (Same -> Bits), float(a) Real::visible_bits(a);
            /// The float with these bits.
            FromBits = "from_bits" (Same -> Float), u32(a) f32::from_bits(a), u64(b) f64::from_bits(b);
            /// The `f16` with these bits of a `u16`.
            FromBitsF16 = "from_bits_f16" (Same -> F16);
            /// The `bf16` with these bits of a `u16`.
            FromBitsBf16 = "from_bits_bf16" (Same -> Bf16);

            // Last, so that random programs are those that they were: they have what stands before the first one that
            // `is_strict`.
            /// The sum; a fault if the type does not have it.
            StrictAdd = "strict_add" (Same, Same -> Same or Overflow), int(a, b) a.checked_add(b);
            /// The difference; a fault if the type does not have it.
            StrictSub = "strict_sub" (Same, Same -> Same or Overflow), int(a, b) a.checked_sub(b);
            /// The product; a fault if the type does not have it.
            StrictMul = "strict_mul" (Same, Same -> Same or Overflow), int(a, b) a.checked_mul(b);
            /// The quotient; a fault for a zero divisor, or if the type does not have it.
            StrictDiv = "strict_div" (Same, Same -> Same or Overflow), int(a, b) a.checked_div(b);
            /// The remainder; a fault for a zero divisor, or if the type does not have the quotient.
            StrictRem = "strict_rem" (Same, Same -> Same or Overflow), int(a, b) a.checked_rem(b);
            /// As `div_euclid`; a fault, too, if the type does not have the quotient.
            StrictDivEuclid = "strict_div_euclid" (Same, Same -> Same or Overflow),
                int(a, b) a.checked_div_euclid(b);
            /// As `rem_euclid`; a fault, too, if the type does not have the quotient.
            StrictRemEuclid = "strict_rem_euclid" (Same, Same -> Same or Overflow),
                int(a, b) a.checked_rem_euclid(b);
            /// The negative; a fault if the type does not have it.
            StrictNeg = "strict_neg" (Same -> Same or Overflow), int(a) a.checked_neg();
            /// The number without its sign; a fault if the type does not have it.
            StrictAbs = "strict_abs" (Same -> Same or Overflow), signed(a) a.checked_abs();
            /// The power; a fault if the type does not have it.
            StrictPow = "strict_pow" (Same, U32 -> Same or Overflow), int(a, b) a.checked_pow(b);
            /// `a << b`; a fault if the count is not below the width.
            StrictShl = "strict_shl" (Same, U32 -> Same or Overflow), int(a, b) a.checked_shl(b);
            /// `a >> b`; a fault if the count is not below the width.
            StrictShr = "strict_shr" (Same, U32 -> Same or Overflow), int(a, b) a.checked_shr(b);
            /// As `next_multiple_of`; a fault, too, if the type does not have it.
            StrictNextMultipleOf = "strict_next_multiple_of" (Same, Same -> Same or Overflow),
                unsigned(a, b) a.checked_next_multiple_of(b);
            /// As `next_power_of_two`; a fault if the type does not have it.
            StrictNextPowerOfTwo = "strict_next_power_of_two" (Same -> Same or Overflow),
                unsigned(a) a.checked_next_power_of_two();
            /// The sum with a signed integer; a fault if the type does not have it.
            StrictAddSigned = "strict_add_signed" (Same, Signed -> Same or Overflow),
                unsigned(a, b) a.checked_add_signed(b);
            /// The difference to a signed integer; a fault if the type does not have it.
            StrictSubSigned = "strict_sub_signed" (Same, Signed -> Same or Overflow),
                unsigned(a, b) a.checked_sub_signed(b);
            /// The sum with an unsigned integer; a fault if the type does not have it.
            StrictAddUnsigned = "strict_add_unsigned" (Same, Unsigned -> Same or Overflow),
                signed(a, b) a.checked_add_unsigned(b);
            /// The difference to an unsigned integer; a fault if the type does not have it.
            StrictSubUnsigned = "strict_sub_unsigned" (Same, Unsigned -> Same or Overflow),
                signed(a, b) a.checked_sub_unsigned(b);
            /// The upper half of `a * b + c`, which has twice the width.
            CarryingMulHigh = "carrying_mul_high" (Same, Same, Same -> Same),
                unsigned(a, b, c) a.carrying_mul(b, c).1;
        }
    };
}
pub(super) use for_each_numeric_op;
