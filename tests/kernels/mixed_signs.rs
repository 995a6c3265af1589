//! Numeric methods that are made of others, of mixed sign, with carries and bounds: on edge values as `std` has them.

use crate::support::host;
use simt::prelude::*;

/// Runs a kernel under every policy, and the same text as plain Rust, on every two of the values.
macro_rules! agree {
    ($name:ident, $x:expr, $y:expr, $ty:ty) => {{
        let (x, y): (Vec<_>, Vec<_>) = $x.iter().flat_map(|&x| $y.iter().map(move |&y| (x, y))).unzip();
        let grid = Grid::covering(x.len(), 64);
        let mut expected: Vec<$ty> = vec![Default::default(); x.len() * 40];
        host::run(grid, || plain::$name(&x, &y, &mut expected));
        everywhere!(|gpu| {
            let mut out: Vec<$ty> = vec![Default::default(); x.len() * 40];
            let launched = gpu.launch(grid, kernel::$name(&x, &y, &mut out));
            assert!(launched.is_ok(), "{launched:?}");
            assert_eq!(out, expected, "{}", stringify!($name));
        });
    }};
}

macro_rules! integers {
    ($($module:ident: $unsigned:ident, $signed:ident;)*) => {$(
        mod $module {
            use super::*;

            kernels! {
                fn unsigned(a: &[$unsigned], b: &[$signed], out: &mut [$unsigned]) {
                    let i = global_id();
                    if i >= a.len() {
                        return;
                    }
                    let x = a[i];
                    let s = b[i];
                    let y = b[i] as $unsigned;
                    let o = i * 40;
                    out[o] = x.wrapping_add_signed(s);
                    out[o + 1] = x.wrapping_sub_signed(s);
                    out[o + 2] = x.saturating_add_signed(s);
                    out[o + 3] = x.saturating_sub_signed(s);
                    out[o + 4] = x.checked_add_signed(s).unwrap_or(77);
                    out[o + 5] = x.checked_sub_signed(s).unwrap_or(77);
                    let (sum, wraps) = x.overflowing_add_signed(s);
                    out[o + 6] = sum ^ wraps as $unsigned;
                    let (difference, wraps) = x.overflowing_sub_signed(s);
                    out[o + 7] = difference ^ wraps as $unsigned;
                    out[o + 8] = x.checked_signed_diff(y).unwrap_or(77) as $unsigned;
                    let (sum, carry) = x.carrying_add(y, s < 0);
                    out[o + 9] = sum;
                    out[o + 10] = carry as $unsigned;
                    let (difference, borrow) = x.borrowing_sub(y, s < 0);
                    out[o + 11] = difference;
                    out[o + 12] = borrow as $unsigned;
                    out[o + 13] = x.midpoint(y);
                    out[o + 14] = x.checked_next_power_of_two().unwrap_or(77);
                    out[o + 15] = x.checked_next_multiple_of(y).unwrap_or(77);
                    out[o + 16] = x.checked_ilog2().unwrap_or(77) as $unsigned;
                    out[o + 17] = x.checked_ilog10().unwrap_or(77) as $unsigned;
                    out[o + 18] = x.checked_ilog(y).unwrap_or(77) as $unsigned;
                    out[o + 19] = x.unbounded_shl(y as u32);
                    out[o + 20] = x.unbounded_shr(y as u32);
                    let (shifted, beyond) = x.overflowing_shl(y as u32);
                    out[o + 21] = shifted ^ beyond as $unsigned;
                    let (shifted, beyond) = x.overflowing_shr(y as u32);
                    out[o + 22] = shifted ^ beyond as $unsigned;
                    out[o + 23] = x.checked_div_euclid(y).unwrap_or(77);
                    out[o + 24] = x.checked_rem_euclid(y).unwrap_or(77);
                    out[o + 25] = x.cast_signed().cast_unsigned();
                    out[o + 26] = x.to_be();
                    out[o + 27] = x.to_le();
                    if y != 0 {
                        out[o + 28] = x.saturating_div(y);
                        out[o + 29] = x.overflowing_div(y).0;
                        out[o + 30] = x.overflowing_rem(y).0;
                    }
                    if x < 50 && y < 50 {
                        out[o + 31] = x.strict_add(y);
                        out[o + 32] = (x + y).strict_sub(y);
                        out[o + 33] = x.strict_mul(2).strict_shl(1).strict_shr(1);
                        out[o + 34] = (x + 53).strict_sub_signed(y as $signed).strict_add_signed(-3);
                    }
                    if y != 0 {
                        out[o + 35] = x.strict_div(y) ^ x.strict_rem(y);
                        out[o + 36] = x.strict_div_euclid(y) ^ x.strict_rem_euclid(y);
                    }
                    let (low, high) = x.carrying_mul(y, 200);
                    out[o + 37] = low ^ high.rotate_left(3);
                    let (low, high) = x.carrying_mul_add(y, x, y | 77);
                    out[o + 38] = low ^ high.rotate_left(3);
                    out[o + 39] = $unsigned::from_be(x ^ 3).wrapping_mul(3) ^ $unsigned::from_le(y) ^ if x == 0 { x.strict_neg() } else { 1 };
                }
                fn signed(a: &[$signed], b: &[$unsigned], out: &mut [$signed]) {
                    let i = global_id();
                    if i >= a.len() {
                        return;
                    }
                    let x = a[i];
                    let u = b[i];
                    let y = b[i] as $signed;
                    let o = i * 40;
                    out[o] = x.wrapping_add_unsigned(u);
                    out[o + 1] = x.wrapping_sub_unsigned(u);
                    out[o + 2] = x.saturating_add_unsigned(u);
                    out[o + 3] = x.saturating_sub_unsigned(u);
                    out[o + 4] = x.checked_add_unsigned(u).unwrap_or(77);
                    out[o + 5] = x.checked_sub_unsigned(u).unwrap_or(77);
                    let (sum, wraps) = x.overflowing_add_unsigned(u);
                    out[o + 6] = sum ^ wraps as $signed;
                    let (difference, wraps) = x.overflowing_sub_unsigned(u);
                    out[o + 7] = difference ^ wraps as $signed;
                    out[o + 8] = x.midpoint(y);
                    out[o + 9] = x.checked_isqrt().unwrap_or(77);
                    out[o + 10] = x.checked_ilog2().unwrap_or(77) as $signed;
                    out[o + 11] = x.checked_ilog10().unwrap_or(77) as $signed;
                    out[o + 12] = x.checked_ilog(y).unwrap_or(77) as $signed;
                    out[o + 13] = x.unbounded_shl(u as u32);
                    out[o + 14] = x.unbounded_shr(u as u32);
                    out[o + 15] = x.checked_abs().unwrap_or(77);
                    out[o + 16] = x.saturating_abs();
                    out[o + 17] = x.saturating_neg();
                    let (positive, wraps) = x.overflowing_abs();
                    out[o + 18] = positive ^ wraps as $signed;
                    out[o + 19] = x.checked_div_euclid(y).unwrap_or(77);
                    out[o + 20] = x.checked_rem_euclid(y).unwrap_or(77);
                    if y != 0 {
                        out[o + 21] = x.saturating_div(y);
                        let (quotient, wraps) = x.overflowing_div(y);
                        out[o + 22] = quotient ^ wraps as $signed;
                        let (rest, wraps) = x.overflowing_rem(y);
                        out[o + 23] = rest ^ wraps as $signed;
                        let (quotient, wraps) = x.overflowing_div_euclid(y);
                        out[o + 24] = quotient ^ wraps as $signed;
                        let (rest, wraps) = x.overflowing_rem_euclid(y);
                        out[o + 25] = rest ^ wraps as $signed;
                    }
                    if x > -20 && x < 20 {
                        out[o + 26] = x.strict_neg().strict_abs().strict_pow(1);
                        if y != 0 {
                            out[o + 27] = x.strict_div(y) ^ x.strict_rem(y);
                            out[o + 28] = x.strict_div_euclid(y) ^ x.strict_rem_euclid(y);
                        }
                        out[o + 29] = x.strict_add_unsigned(u / 4).strict_sub_unsigned(u / 5);
                    }
                    out[o + 30] = $signed::from_be(x) ^ $signed::from_le(y).wrapping_mul(3);
                }
            }

            #[test]
            fn methods() {
                let unsigned = [0, 1, 2, 7, 8, 9, 100, $unsigned::MAX / 2, $unsigned::MAX / 2 + 1, $unsigned::MAX - 1, $unsigned::MAX];
                let signed = [0, 1, 2, 7, 8, 100, -1, -2, -9, $signed::MIN, $signed::MIN + 1, $signed::MAX];
                agree!(unsigned, unsigned, signed, $unsigned);
                agree!(signed, signed, unsigned, $signed);
            }
        }
    )*};
}
integers! {
    of_8_bits: u8, i8;
    of_32_bits: u32, i32;
    of_64_bits: u64, i64;
}
