//! Every row against a second definition, in other words: arithmetic on `i128`, bits one by one, decimals of floats.

mod rounded;

use super::MachineOp;
use crate::scalar::ScalarType;

/// Whether a result is rounded in a direction; conversions are apart.
fn is_rounded(op: MachineOp) -> bool {
    op.name().split(['_', '.']).nth(1).is_some_and(|direction| matches!(direction, "rz" | "rm" | "rp"))
        && !is_conversion(op)
}

fn is_conversion(op: MachineOp) -> bool {
    op.name().starts_with("cvt_")
}

/// Values that are worth trying.
fn edges(ty: ScalarType) -> Vec<u64> {
    let top = 1u64 << (ty.bits() - 1);
    let all = top | (top - 1);
    match ty {
        ScalarType::Bool => vec![0, 1],
        ScalarType::F32 => [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.25,
            0.75,
            1.5,
            4.0,
            1e-40,
            -1e-40,
            f32::MIN_POSITIVE,
            f32::MAX,
            f32::MIN,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::NAN,
        ]
        .map(|value: f32| u64::from(value.to_bits()))
        .to_vec(),
        ScalarType::F64 => [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.25,
            0.75,
            1.5,
            4.0,
            1e-310,
            -1e-310,
            f64::MIN_POSITIVE,
            f64::MAX,
            f64::MIN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
        ]
        .map(f64::to_bits)
        .to_vec(),
        _ => [
            0,
            1,
            2,
            3,
            5,
            7,
            8,
            15,
            16,
            23,
            24,
            31,
            32,
            33,
            40,
            63,
            64,
            65,
            0x80,
            0xff,
            0x0810,
            0x2018,
            0x3210,
            0x7654,
            0x9a8b,
            0x00ff_ffff,
            0x0100_0000,
            0x1234_5678_9abc_def0,
            0xfedc_ba98_7654_3210,
            top,
            top - 1,
            top + 1,
            all,
            all - 1,
        ]
        .map(|value| value & all)
        .to_vec(),
    }
}

/// The number that bits mean.
fn number(bits: u64, ty: ScalarType) -> i128 {
    let wide = i128::from(bits);
    if ty.is_signed_int() && bits >> (ty.bits() - 1) & 1 == 1 { wide - (1 << ty.bits()) } else { wide }
}

/// The bits of a number, in a type.
fn bits(number: i128, ty: ScalarType) -> u64 {
    (number & ((1 << ty.bits()) - 1)) as u64
}

fn digit(number: i128, at: i128) -> i128 {
    number.div_euclid(1i128.checked_shl(at as u32).filter(|_| at < 126).unwrap_or(i128::MAX)).rem_euclid(2)
}

/// What an operation on integers computes.
fn of_integers(op: MachineOp, args: &[u64]) -> u64 {
    let types = op.args();
    let (ty, width) = (types[0], i128::from(types[0].bits()));
    let n: Vec<i128> = args.iter().zip(types).map(|(&bits, &ty)| number(bits, ty)).collect();
    let (name, _) = op.name().split_once('.').unwrap();
    let byte = |value: i128, at: i128| value.div_euclid(1 << (8 * at)).rem_euclid(256);
    let signed_byte = |value: i128| if value > 127 { value - 256 } else { value };
    let result = match name {
        "mul_hi" => {
            // By halves of the first number, as the whole product of two `u64` fits in no `i128`.
            let half = 1i128 << (width / 2);
            (n[0].div_euclid(half) * n[1] + (n[0].rem_euclid(half) * n[1]).div_euclid(half)).div_euclid(half)
        }
        "bfe" => {
            let (at, length) = (n[1] % 256, n[2] % 256);
            let sign = if ty.is_signed_int() && length > 0 { digit(n[0], (at + length - 1).min(width - 1)) } else { 0 };
            let bit = |i: i128| if i < length && at + i < width { digit(n[0], at + i) } else { sign };
            (0..width).map(|i| bit(i) << i).sum()
        }
        "bfi" => {
            let (at, length) = (n[2] % 256, n[2] / 256 % 256);
            let bit = |i: i128| if i >= at && i < at + length { digit(n[0], i - at) } else { digit(n[1], i) };
            (0..width).map(|i| bit(i) << i).sum()
        }
        "bfind" | "bfind_shiftamt" => {
            let sign = i128::from(n[0] < 0);
            let found = (0..width).rev().find(|&i| digit(n[0], i) != sign);
            found.map_or(-1, |i| if name == "bfind" { i } else { width - 1 - i })
        }
        "prmt" | "prmt_f4e" | "prmt_b4e" | "prmt_rc8" | "prmt_ecl" | "prmt_ecr" | "prmt_rc16" => {
            let k = n[2] % 4;
            let all: Vec<i128> = (0..8).map(|i| if i < 4 { byte(n[0], i) } else { byte(n[1], i - 4) }).collect();
            let chosen = |i: i128| match name {
                "prmt" => n[2].div_euclid(16i128.pow(i as u32)) % 16,
                "prmt_f4e" => k + i,
                "prmt_b4e" => (k + 8 - i) % 8,
                "prmt_rc8" => k,
                "prmt_ecl" => i.max(k),
                "prmt_ecr" => i.min(k),
                _ => k % 2 * 2 + i % 2,
            };
            let value = |i: i128| {
                let chosen = chosen(i);
                let byte = all[(chosen % 8) as usize];
                if chosen > 7 { if byte > 127 { 255 } else { 0 } } else { byte }
            };
            (0..4).map(|i| value(i) << (8 * i)).sum()
        }
        "shf_l_wrap" | "shf_l_clamp" | "shf_r_wrap" | "shf_r_clamp" => {
            let by = if name.ends_with("wrap") { n[2] % 32 } else { n[2].min(32) };
            let both = n[1] * (1 << 32) + n[0];
            if name.starts_with("shf_l") { (both << by) >> 32 } else { both >> by }
        }
        "shl_clamp" => {
            if n[1] < width {
                n[0] << n[1]
            } else {
                0
            }
        }
        "shr_clamp" => n[0].div_euclid(1i128 << n[1].min(100)),
        "addc" => n[0] + n[1] + n[2],
        "addc_carry" => (n[0] + n[1] + n[2]) >> width,
        "subc" => n[0] - n[1] - n[2],
        "subc_borrow" => i128::from(n[0] - n[1] - n[2] < 0),
        "mul24_lo" | "mul24_hi" => {
            let low = |value: i128| {
                let low = value.rem_euclid(1 << 24);
                if ty.is_signed_int() && low >= 1 << 23 { low - (1 << 24) } else { low }
            };
            let product = low(n[0]) * low(n[1]);
            if name == "mul24_lo" { product } else { product.div_euclid(1 << 16) }
        }
        "sad" => n[2] + (n[0] - n[1]).abs(),
        "dp4a_u32" | "dp4a_i32" => {
            let of =
                |value: i128, i: i128, signed: bool| if signed { signed_byte(byte(value, i)) } else { byte(value, i) };
            let (first, second) = (name == "dp4a_i32", op.name().ends_with("i32"));
            n[2] + (0..4).map(|i| of(n[0], i, first) * of(n[1], i, second)).sum::<i128>()
        }
        "dp2a_lo_u32" | "dp2a_lo_i32" | "dp2a_hi_u32" | "dp2a_hi_i32" => {
            let from = if name.contains("hi") { 2 } else { 0 };
            let half = |i: i128| match n[0].div_euclid(1 << (16 * i)).rem_euclid(1 << 16) {
                half if name.ends_with("i32") && half > 0x7fff => half - 0x1_0000,
                half => half,
            };
            let byte = |i: i128| {
                let byte = byte(args[1].into(), from + i);
                if op.name().ends_with("i32") { signed_byte(byte) } else { byte }
            };
            n[2] + half(0) * byte(0) + half(1) * byte(1)
        }
        "vabsdiff4_u32" | "vabsdiff4_i32" | "vabsdiff4_add_u32" | "vabsdiff4_add_i32" => {
            let of =
                |value: i128, i: i128, signed: bool| if signed { signed_byte(byte(value, i)) } else { byte(value, i) };
            let (first, second) = (name.ends_with("i32"), op.name().ends_with("i32"));
            let apart = |i: i128| (of(n[0], i, first) - of(n[1], i, second)).abs();
            if name.contains("add") {
                (0..4).map(apart).sum::<i128>() + n[2]
            } else {
                (0..4).map(|i| (apart(i) % 256) << (8 * i)).sum()
            }
        }
        "lop3" => {
            let (c, table) = (n[2] % (1 << 32), n[2] >> 32);
            (0..32).map(|i| digit(table, 4 * digit(n[0], i) + 2 * digit(n[1], i) + digit(c, i)) << i).sum()
        }
        "szext_clamp" | "szext_wrap" => {
            let length = if name == "szext_wrap" { n[1] % 32 } else { n[1].min(32) };
            let low = n[0].rem_euclid(1 << length);
            if length > 0 && ty.is_signed_int() && low >= 1 << (length - 1) { low - (1 << length) } else { low }
        }
        "bmsk_clamp" | "bmsk_wrap" => {
            let (at, length) = if name == "bmsk_wrap" { (n[0] % 32, n[1] % 32) } else { (n[0], n[1]) };
            (0..32).filter(|i| *i >= at && *i < at + length).map(|i| 1 << i).sum()
        }
        "fns" => {
            // As the PTX ISA writes it.
            let (mut place, step) = (n[1], if n[2] > 0 { 1 } else { -1 });
            let mut left = n[2].abs() - 1;
            let mut found = -1;
            if n[2] == 0 && place < 32 && digit(n[0], place) == 1 {
                found = place;
            }
            while n[2] != 0 && (0..32).contains(&place) {
                if digit(n[0], place) == 1 {
                    if left == 0 {
                        found = place;
                        break;
                    }
                    left -= 1;
                }
                place += step;
            }
            found
        }
        "ftz" => {
            if n[0] % 0x8000 < 0x400 {
                n[0] / 0x8000 * 0x8000
            } else {
                n[0]
            }
        }
        "sat" | "relu" | "satfinite" => {
            // What is special of the two formats; between it is the order of the bits.
            let (one, infinity, nan) =
                if op.name().ends_with("bf16") { (0x3f80, 0x7f80, 0x7fc0) } else { (0x3c00, 0x7c00, 0x7e00) };
            let (magnitude, negative) = (n[0] % 0x8000, n[0] >= 0x8000);
            match name {
                "satfinite" => {
                    if magnitude == infinity {
                        n[0] - 1
                    } else {
                        n[0]
                    }
                }
                "sat" => {
                    if negative || magnitude > infinity {
                        0
                    } else {
                        magnitude.min(one)
                    }
                }
                _ if magnitude > infinity => nan,
                _ => {
                    if negative {
                        0
                    } else {
                        n[0]
                    }
                }
            }
        }
        "cnot" => i128::from(n[0] == 0),
        _ => panic!("{} has no second definition", op.name()),
    };
    bits(result, op.result())
}

/// What an operation on floats computes; both widths as `f64`, in which all of these are exact.
fn of_floats(op: MachineOp, args: &[u64]) -> u64 {
    let single = op.args()[0] == ScalarType::F32;
    let value = |bits: u64| if single { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits) };
    let v: Vec<f64> = args.iter().map(|&bits| value(bits)).collect();
    let least = if single { f64::from(f32::MIN_POSITIVE) } else { f64::MIN_POSITIVE };
    let exponent = v[0].abs();
    let (name, _) = op.name().split_once('.').unwrap();
    let of_bool = |holds: bool| u64::from(holds);
    let of_float = |value: f64| if single { u64::from((value as f32).to_bits()) } else { value.to_bits() };
    let negative = |value: f64| value.to_bits() >> 63 == 1;
    match name {
        "lgt" => of_bool(
            (v[0] - v[1]).abs() > 0.0 || v[0].is_infinite() && v[1].is_infinite() && negative(v[0]) != negative(v[1]),
        ),
        "num" => of_bool(v[0].partial_cmp(&v[1]).is_some()),
        "min_nan" | "max_nan" => {
            let first = match v[0].partial_cmp(&v[1]) {
                None => return of_float(f64::NAN),
                Some(std::cmp::Ordering::Equal) => negative(v[0]) == (name == "min_nan"),
                Some(order) => order.is_lt() == (name == "min_nan"),
            };
            of_float(if first { v[0] } else { v[1] })
        }
        "is_normal" => of_bool(exponent >= least && exponent < f64::INFINITY),
        "is_subnormal" => of_bool(exponent > 0.0 && exponent < least),
        "ftz" => {
            if exponent < least {
                args[0] & (1 << 31)
            } else {
                args[0]
            }
        }
        "sat" => of_float(if v[0].is_nan() || v[0] < 0.0 || v[0] == 0.0 {
            0.0
        } else if v[0] > 1.0 {
            1.0
        } else {
            v[0]
        }),
        "rsqrt" if v[0] < 0.0 => of_float(f64::NAN),
        "rsqrt" => of_float(v[0].powf(0.5).recip().copysign(if v[0] == 0.0 { v[0] } else { 1.0 })),
        _ => panic!("{} has no second definition", op.name()),
    }
}

#[test]
fn every_row_computes_what_its_second_definition_does() {
    for &op in MachineOp::ALL {
        let types = op.args();
        let is_float = types[0].is_float();
        let meaning = op.meaning();
        let more = |ty| if is_rounded(op) { rounded::more_edges(ty) } else { Vec::new() };
        let all: Vec<Vec<u64>> = types.iter().map(|&ty| [edges(ty), more(ty)].concat()).collect();
        let one = [0];
        let (second, third) = (all.get(1).map_or(&one[..], |all| all), all.get(2).map_or(&one[..], |all| all));
        for &a in &all[0] {
            for &b in second {
                for &c in third {
                    let args = [a, b, c];
                    let found = meaning(args).expect("it never fails");
                    let args = &args[..types.len()];
                    let expected = match op {
                        _ if is_conversion(op) => rounded::converted(op, args),
                        _ if is_rounded(op) => rounded::expected(op, args),
                        _ if is_float => of_floats(op, args),
                        _ => of_integers(op, args),
                    };
                    let same_nan = |bits: u64| match op.result() {
                        ScalarType::F32 => f32::from_bits(bits as u32).is_nan(),
                        ScalarType::F64 => f64::from_bits(bits).is_nan(),
                        _ => false,
                    };
                    assert!(
                        found == expected || same_nan(found) && same_nan(expected),
                        "{} of {args:x?}: {found:#x} instead of {expected:#x}",
                        op.name()
                    );
                }
            }
        }
    }
}
