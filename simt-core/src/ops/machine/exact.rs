//! Sums, products, quotients and roots that are rounded in a direction, once.
//!
//! A result is computed on integers, to more bits than any format has; where bits behind them are lost, the last one is set
//! ("round to odd", Boldo and Melquiond 2008). So it is never taken for a number of the format, and what is rounded then is as
//! good as the exact one.

use Direction::{Down, Up, Zero};

/// Where a result goes that lies between two numbers of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// Towards zero (PTX `.rz`).
    Zero,
    /// Down (PTX `.rm`).
    Down,
    /// Up (PTX `.rp`).
    Up,
}

/// A format of floats.
#[derive(Clone, Copy, Debug)]
pub(super) struct Format {
    /// Bits of the significand, with the one that is not written.
    digits: u32,
    /// The exponent of the lowest bit of a subnormal number.
    least: i32,
    /// The bits of infinity.
    infinity: u64,
}

pub(super) const HALF: Format = Format { digits: 11, least: -24, infinity: 0x7c00 };
pub(super) const BRAIN: Format = Format { digits: 8, least: -133, infinity: 0x7f80 };
pub(super) const SINGLE: Format = Format { digits: 24, least: -149, infinity: 0x7f80_0000 };
pub(super) const DOUBLE: Format = Format { digits: 53, least: -1074, infinity: 0x7ff0_0000_0000_0000 };

impl Format {
    fn signed(self, negative: bool, magnitude: u64) -> u64 {
        // The sign stands above the bits of infinity, of which the highest is that of the exponent.
        magnitude | if negative { self.infinity.next_power_of_two() } else { 0 }
    }

    /// The bits of what needs no rounding: a NaN, an infinity, a zero.
    fn special(self, value: f64) -> u64 {
        match value {
            _ if value.is_nan() => self.infinity | 1 << (self.digits - 2),
            _ => self.signed(value.is_sign_negative(), if value == 0.0 { 0 } else { self.infinity }),
        }
    }
}

/// A float that is rounded in a direction.
pub(super) trait Directed: Copy + Into<f64> {
    const FORMAT: Format;
    fn of_bits(bits: u64) -> Self;
}
impl Directed for f32 {
    const FORMAT: Format = SINGLE;
    fn of_bits(bits: u64) -> Self {
        Self::from_bits(bits as u32)
    }
}
impl Directed for f64 {
    const FORMAT: Format = DOUBLE;
    fn of_bits(bits: u64) -> Self {
        Self::from_bits(bits)
    }
}

/// `magnitude * 2^exponent`, of which the lowest bit is set if some behind it are lost.
#[derive(Clone, Copy, Debug)]
struct Exact {
    negative: bool,
    magnitude: u128,
    exponent: i32,
}

impl Exact {
    /// A finite number.
    fn of(value: f64) -> Exact {
        let (field, fraction) = (value.to_bits() >> 52 & 0x7ff, value.to_bits() & ((1 << 52) - 1));
        let leading = if field == 0 { 0 } else { 1 << 52 };
        let exponent = field.max(1) as i32 + DOUBLE.least - 1;
        Exact { negative: value.is_sign_negative(), magnitude: (fraction | leading).into(), exponent }
    }

    fn of_integer(value: i128) -> Exact {
        Exact { negative: value < 0, magnitude: value.unsigned_abs(), exponent: 0 }
    }

    /// The same number, not zero, whose highest bit is that of a number.
    fn raised(self, to: u32) -> Exact {
        let by = (to + self.magnitude.leading_zeros()).saturating_sub(127);
        Exact { magnitude: self.magnitude << by, exponent: self.exponent - by as i32, ..self }
    }

    fn times(self, other: Exact) -> Exact {
        Exact {
            negative: self.negative != other.negative,
            magnitude: self.magnitude * other.magnitude,
            exponent: self.exponent + other.exponent,
        }
    }

    /// The sum; of a zero the sign that the direction asks for.
    fn plus(self, other: Exact, direction: Direction) -> Exact {
        if self.magnitude == 0 || other.magnitude == 0 {
            let sum = if self.magnitude == 0 { other } else { self };
            let negative =
                if self.negative == other.negative { self.negative } else { sum.negative_unless_zero(direction) };
            return Exact { negative, ..sum };
        }
        // A bit is left for a carry. Products have 106 bits, so that none is lost of a number that is near the other one.
        let (a, b) = (self.raised(125), other.raised(125));
        let (a, b) = if a.exponent < b.exponent { (b, a) } else { (a, b) };
        let addend = shifted(b.magnitude, (a.exponent - b.exponent) as u32);
        if a.negative == b.negative {
            return Exact { magnitude: a.magnitude + addend, ..a };
        }
        let negative = if a.magnitude >= addend { a.negative } else { b.negative };
        let sum = Exact { negative, magnitude: a.magnitude.abs_diff(addend), ..a };
        Exact { negative: sum.negative_unless_zero(direction), ..sum }
    }

    /// The sign of a sum of numbers of different signs.
    fn negative_unless_zero(self, direction: Direction) -> bool {
        if self.magnitude == 0 { direction == Down } else { self.negative }
    }

    /// The quotient by a number that is not zero.
    fn over(self, other: Exact) -> Exact {
        let raised = self.raised(127);
        let quotient = raised.magnitude / other.magnitude;
        let lost = !raised.magnitude.is_multiple_of(other.magnitude);
        Exact {
            negative: self.negative != other.negative,
            magnitude: quotient | u128::from(lost),
            exponent: raised.exponent - other.exponent,
        }
    }

    /// The square root of a number that is not negative.
    fn root(self) -> Exact {
        let raised = self.raised(125);
        let odd = raised.exponent.rem_euclid(2);
        let (magnitude, exponent) = (raised.magnitude << odd, raised.exponent - odd);
        let root = magnitude.isqrt();
        Exact { magnitude: root | u128::from(root * root != magnitude), exponent: exponent / 2, ..self }
    }

    /// The bits of the next number of a format in a direction.
    fn rounded(self, format: Format, direction: Direction) -> u64 {
        let Exact { negative, magnitude, exponent } = self;
        if magnitude == 0 {
            return format.signed(negative, 0);
        }
        let length = 128 - magnitude.leading_zeros();
        // The exponent of the last bit that is kept.
        let last = (exponent + length as i32 - format.digits as i32).max(format.least);
        let by = last - exponent;
        let (kept, lost) = match u32::try_from(by) {
            Err(_) => (magnitude << by.unsigned_abs(), false),
            Ok(by) => {
                let kept = magnitude.checked_shr(by).unwrap_or(0);
                (kept, kept.checked_shl(by).unwrap_or(0) != magnitude)
            }
        };
        let away = match direction {
            Zero => false,
            Down => negative,
            Up => !negative,
        };
        // A carry, and the bit that is not written, count the exponent up.
        let kept = kept as u64 + u64::from(lost && away);
        let bits = (((last - format.least) as u64) << (format.digits - 1)).saturating_add(kept);
        let most = if away { format.infinity } else { format.infinity - 1 };
        format.signed(negative, if bits >= format.infinity { most } else { bits })
    }
}

/// A number without its lowest bits, the last of which is set if there are some among these.
fn shifted(magnitude: u128, by: u32) -> u128 {
    let kept = magnitude.checked_shr(by).unwrap_or(0);
    kept | u128::from(kept.checked_shl(by).unwrap_or(0) != magnitude)
}

/// `a + b`.
pub(super) fn sum<T: Directed>(a: T, b: T, direction: Direction) -> T {
    let (a, b): (f64, f64) = (a.into(), b.into());
    of(a + b, a.is_finite() && b.is_finite(), direction, || Exact::of(a).plus(Exact::of(b), direction))
}

/// `a * b`.
pub(super) fn product<T: Directed>(a: T, b: T, direction: Direction) -> T {
    let (a, b): (f64, f64) = (a.into(), b.into());
    of(a * b, a.is_finite() && b.is_finite(), direction, || Exact::of(a).times(Exact::of(b)))
}

/// `a * b + c`.
pub(super) fn fused<T: Directed>(a: T, b: T, c: T, direction: Direction) -> T {
    let (a, b, c): (f64, f64, f64) = (a.into(), b.into(), c.into());
    let finite = a.is_finite() && b.is_finite() && c.is_finite();
    of(a.mul_add(b, c), finite, direction, || Exact::of(a).times(Exact::of(b)).plus(Exact::of(c), direction))
}

/// `a / b`.
pub(super) fn quotient<T: Directed>(a: T, b: T, direction: Direction) -> T {
    let (a, b): (f64, f64) = (a.into(), b.into());
    let finite = a.is_finite() && b.is_finite() && a != 0.0 && b != 0.0;
    of(a / b, finite, direction, || Exact::of(a).over(Exact::of(b)))
}

/// The square root.
pub(super) fn root<T: Directed>(a: T, direction: Direction) -> T {
    let a: f64 = a.into();
    of(a.sqrt(), a.is_finite() && a > 0.0, direction, || Exact::of(a).root())
}

/// What a special result is, or the rounded one.
fn of<T: Directed>(special: f64, finite: bool, direction: Direction, exact: impl FnOnce() -> Exact) -> T {
    T::of_bits(if finite { exact().rounded(T::FORMAT, direction) } else { T::FORMAT.special(special) })
}

/// The bits of a number in a format of fewer digits.
pub(super) fn narrowed(value: f64, format: Format, direction: Direction) -> u64 {
    if value.is_finite() { Exact::of(value).rounded(format, direction) } else { format.special(value) }
}

/// The bits of an integer in a format.
pub(super) fn of_integer(value: i128, format: Format, direction: Direction) -> u64 {
    Exact::of_integer(value).rounded(format, direction)
}

impl Format {
    /// The highest bit of a float of 16 bits.
    const SIGN: u16 = 1 << 15;

    fn is_nan(self, bits: u16) -> bool {
        u64::from(bits & !Self::SIGN) > self.infinity
    }
}

/// Bits of a number between 0 and 1; a NaN becomes 0 (PTX `.sat`).
pub(super) fn half_saturated(bits: u16, format: Format) -> u16 {
    let one = Exact::of_integer(1).rounded(format, Zero) as u16;
    // Not negative, the order of numbers is that of their bits.
    if bits & Format::SIGN != 0 || format.is_nan(bits) { 0 } else { bits.min(one) }
}

/// Bits of a number that is not below 0; a NaN becomes the canonical one (PTX `.relu`).
pub(super) fn half_rectified(bits: u16, format: Format) -> u16 {
    match bits {
        _ if format.is_nan(bits) => format.special(f64::NAN) as u16,
        _ if bits & Format::SIGN != 0 => 0,
        _ => bits,
    }
}

/// Bits of a finite number: of an infinity the largest one (PTX `.satfinite`).
pub(super) fn half_finite(bits: u16, format: Format) -> u16 {
    if u64::from(bits & !Format::SIGN) == format.infinity { bits - 1 } else { bits }
}
