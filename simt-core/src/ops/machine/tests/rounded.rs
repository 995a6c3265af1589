//! Results that are rounded in a direction, against what that means: no number of the format lies between the exact value, as
//! an integer of some thousand bits, and the result, on whose side it is.

use crate::ops::MachineOp;
use crate::scalar::ScalarType;
use std::cmp::Ordering;

/// An integer without a sign, the lowest word first.
type Big = Vec<u64>;

/// A number that is not negative in units of the least subnormal `f64`.
fn units(value: f64) -> Big {
    let field = (value.to_bits() >> 52 & 0x7ff) as usize;
    let fraction = value.to_bits() % (1 << 52);
    raised(&[if field == 0 { fraction } else { fraction + (1 << 52) }], field.max(1) - 1)
}

/// `value * 2^by`
fn raised(value: &[u64], by: usize) -> Big {
    let mut big = vec![0; by / 64];
    let mut carry = 0;
    for &word in value {
        big.push(word << (by % 64) | carry);
        carry = if by.is_multiple_of(64) { 0 } else { word >> (64 - by % 64) };
    }
    big.push(carry);
    big
}

fn times(a: &[u64], b: &[u64]) -> Big {
    let mut product = vec![0u64; a.len() + b.len()];
    for (i, &x) in a.iter().enumerate().filter(|(_, x)| **x != 0) {
        let mut carry = 0u128;
        for (j, &y) in b.iter().enumerate() {
            let sum = u128::from(x) * u128::from(y) + u128::from(product[i + j]) + carry;
            (product[i + j], carry) = (sum as u64, sum >> 64);
        }
        product[i + b.len()] = carry as u64;
    }
    product
}

/// How a sum of numbers with signs compares with zero.
fn sign_of(terms: &[(bool, Big)]) -> Ordering {
    let length = 1 + terms.iter().map(|(_, big)| big.len()).max().unwrap_or(0);
    let all = |negative: bool| {
        let mut sum = vec![0u64; length];
        for (_, big) in terms.iter().filter(|(sign, _)| *sign == negative) {
            let mut carry = 0u128;
            for (at, word) in sum.iter_mut().enumerate() {
                let next = u128::from(*word) + u128::from(big.get(at).copied().unwrap_or(0)) + carry;
                (*word, carry) = (next as u64, next >> 64);
            }
        }
        sum.into_iter().rev().collect::<Vec<u64>>()
    };
    all(false).cmp(&all(true))
}

/// One of the operations, on numbers that are finite.
fn compared(name: &str, v: &[f64], with: f64) -> Ordering {
    let negative = |value: f64| value.is_sign_negative();
    let minus = !negative(with);
    let r = units(with);
    if with.is_infinite() {
        return if negative(with) { Ordering::Greater } else { Ordering::Less };
    }
    let (a, sign) = (units(v[0]), negative(v[0]));
    let second = || (units(v[1]), negative(v[1]));
    match name {
        "add" => {
            let (b, other) = second();
            sign_of(&[(sign, a), (other, b), (minus, r)])
        }
        "mul" | "fma" => {
            let (b, other) = second();
            let addend = v.get(2).copied().unwrap_or(0.0);
            let terms = [
                (sign != other, times(&a, &b)),
                (negative(addend), raised(&units(addend), 1074)),
                (minus, raised(&r, 1074)),
            ];
            sign_of(&terms)
        }
        "div" | "rcp" => {
            let (n, d) = if name == "rcp" { (1.0, v[0]) } else { (v[0], v[1]) };
            let order =
                sign_of(&[(negative(n), raised(&units(n), 1074)), (minus != negative(d), times(&r, &units(d)))]);
            if negative(d) { order.reverse() } else { order }
        }
        "sqrt" => sign_of(&[(false, raised(&a, 1074)), (true, times(&r, &r))]),
        _ => panic!("{name} has no second definition"),
    }
}

/// What a format has next to a number.
fn next(value: f64, up: bool, ty: ScalarType) -> f64 {
    match (ty, up) {
        (ScalarType::F32, true) => (value as f32).next_up().into(),
        (ScalarType::F32, false) => (value as f32).next_down().into(),
        (_, true) => value.next_up(),
        (_, false) => value.next_down(),
    }
}

/// The next number of a format below an exact one, or above it; begins to look at some number of the format.
fn found(start: f64, up: bool, next: impl Fn(f64, bool) -> f64, exact: impl Fn(f64) -> Ordering) -> f64 {
    let beyond = |value: f64| exact(value) == if up { Ordering::Greater } else { Ordering::Less };
    let mut value = start;
    // To the side that is asked for, and then back as far as possible.
    while beyond(value) {
        value = next(value, up);
    }
    loop {
        let nearer = next(value, !up);
        if beyond(nearer) || nearer == value {
            return value;
        }
        value = nearer;
    }
}

/// What an operation computes, as the bits of its result.
pub(super) fn expected(op: MachineOp, args: &[u64]) -> u64 {
    let ty = op.args()[0];
    let (name, _) = op.name().split_once('.').unwrap();
    let (name, direction) = name.split_once('_').unwrap();
    let single = ty == ScalarType::F32;
    let v: Vec<f64> = args
        .iter()
        .map(|&bits| if single { f32::from_bits(bits as u32).into() } else { f64::from_bits(bits) })
        .collect();
    let of_float = |value: f64| if single { u64::from((value as f32).to_bits()) } else { value.to_bits() };
    // To the nearest, of which the machine of the tests says what is special, and near what to look.
    let nearest = match name {
        "add" => v[0] + v[1],
        "mul" => v[0] * v[1],
        "fma" => v[0].mul_add(v[1], v[2]),
        "div" => v[0] / v[1],
        "rcp" => 1.0 / v[0],
        _ => v[0].sqrt(),
    };
    let divides_by_zero = name == "div" && v[1] == 0.0 || name == "rcp" && v[0] == 0.0;
    if nearest.is_nan() || divides_by_zero || v.iter().any(|value| value.is_infinite()) {
        return of_float(nearest);
    }
    let exact = |value: f64| compared(name, &v, value);
    let sign = exact(0.0);
    if sign.is_eq() {
        let differ = match name {
            "add" => v[0].is_sign_negative() != v[1].is_sign_negative(),
            "fma" => (v[0].is_sign_negative() != v[1].is_sign_negative()) != v[2].is_sign_negative(),
            _ => false,
        };
        return of_float(if differ { if direction == "rm" { -0.0 } else { 0.0 } } else { nearest });
    }
    let up = match direction {
        "rm" => false,
        "rp" => true,
        _ => sign.is_lt(),
    };
    let start = if single { (nearest as f32).into() } else { nearest };
    let value = found(start, up, |value, up| next(value, up, ty), exact);
    of_float(if sign.is_lt() { -value.abs() } else { value.abs() })
}

/// Numbers beside one, of which quotients and products lie very near a number of the format; the least; and others.
pub(super) fn more_edges(ty: ScalarType) -> Vec<u64> {
    match ty {
        ScalarType::F32 => [1f32.next_up(), 1f32.next_down(), 3.0, -0.1, f32::from_bits(1)]
            .map(|value| value.to_bits().into())
            .to_vec(),
        _ => [1f64.next_up(), 1f64.next_down(), 3.0, -0.1, f64::from_bits(1)].map(f64::to_bits).to_vec(),
    }
}

/// A number of a 16-bit float, by its digits.
fn half(bits: u64, fraction: u32) -> f64 {
    let (sign, exponent) = (bits >> 15, (bits & 0x7fff) >> fraction);
    let digits = (bits % (1 << fraction)) as f64 / f64::from(1 << fraction);
    let most = (1 << (15 - fraction)) - 1;
    let magnitude = match exponent {
        0 => digits * 2f64.powi(2 - (1 << (14 - fraction))),
        e if e == most => f64::INFINITY,
        e => (1.0 + digits) * 2f64.powi(e as i32 + 1 - (1 << (14 - fraction))),
    };
    if sign == 1 { -magnitude } else { magnitude }
}

/// What a conversion computes.
pub(super) fn converted(op: MachineOp, args: &[u64]) -> u64 {
    let (name, _) = op.name().split_once('.').unwrap();
    let parts: Vec<&str> = name.split('_').collect();
    let (direction, to) = (parts[1], parts[2]);
    let (negative, magnitude, zero) = match op.args()[0] {
        ScalarType::F64 => {
            let value = f64::from_bits(args[0]);
            if !value.is_finite() {
                return match to {
                    "f16" if value.is_nan() => 0x7e00,
                    "bf16" if value.is_nan() => 0x7fc0,
                    "f16" => 0x7c00 | args[0] >> 63 << 15,
                    "bf16" => 0x7f80 | args[0] >> 63 << 15,
                    _ => u64::from((value as f32).to_bits()),
                };
            }
            (value.is_sign_negative(), units(value.abs()), value == 0.0)
        }
        ty => {
            let value = super::number(args[0], ty);
            (value < 0, raised(&[value.unsigned_abs() as u64], 1074), value == 0)
        }
    };
    // All numbers of the format that are not negative are in the order of their bits.
    let (infinity, sign_bit): (u64, u32) = match to {
        "f16" => (0x7c00, 15),
        "bf16" => (0x7f80, 15),
        "f32" => (0x7f80_0000, 31),
        _ => (0x7ff0 << 48, 63),
    };
    let value = |bits: u64| match to {
        "f16" => half(bits, 10),
        "bf16" => half(bits, 7),
        "f32" => f32::from_bits(bits as u32).into(),
        _ => f64::from_bits(bits),
    };
    let least =
        |bits: u64| bits < infinity && sign_of(&[(false, units(value(bits))), (true, magnitude.clone())]).is_le();
    let (mut low, mut high) = (0, infinity);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if least(middle) { low = middle } else { high = middle }
    }
    let is_exact = zero || sign_of(&[(false, units(value(low))), (true, magnitude.clone())]).is_eq();
    let away = !is_exact && (direction == "rp" && !negative || direction == "rm" && negative);
    (low + u64::from(away)) | (u64::from(negative) << sign_bit)
}

/// Numbers that are near each other, and whose products are near a third: what edges do not have.
#[test]
fn of_numbers_that_look_random() {
    let mut state = 1u64;
    let mut random = move || {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        state.rotate_right(23) ^ state >> 40
    };
    let rounded = MachineOp::ALL.iter().filter(|op| super::is_rounded(**op));
    for &op in rounded {
        let meaning = op.meaning();
        let types = op.args();
        for _ in 0..150 {
            let mut args = [0; 3];
            for (arg, ty) in args.iter_mut().zip(types) {
                let bits = random();
                // Exponents near that of one, in half of the cases: so sums cancel.
                let near = random() & 1 == 0;
                *arg = match ty {
                    ScalarType::F32 if near => bits & 0x81ff_ffff | 0x3e00_0000,
                    ScalarType::F32 => bits & 0xffff_ffff,
                    _ if near => bits & 0x801f_ffff_ffff_ffff | 0x3fe0 << 48,
                    _ => bits,
                };
            }
            let found = meaning(args).expect("it never fails");
            let expected = expected(op, &args[..types.len()]);
            let is_nan = |bits: u64| match op.result() {
                ScalarType::F32 => f32::from_bits(bits as u32).is_nan(),
                _ => f64::from_bits(bits).is_nan(),
            };
            assert!(
                found == expected || is_nan(found) && is_nan(expected),
                "{} of {args:x?}: {found:#x} instead of {expected:#x}",
                op.name()
            );
        }
    }
}
