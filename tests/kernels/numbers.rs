//! The numeric methods of std: the same text as a kernel and as plain Rust. What has no exact result (`sin`) comes from
//! another library than the host's, so there it is compared within its error.

use crate::support::host;
use simt::prelude::*;

/// Every two of the values.
fn pairs<T: Copy>(values: &[T]) -> (Vec<T>, Vec<T>) {
    values.iter().flat_map(|&x| values.iter().map(move |&y| (x, y))).unzip()
}

/// Runs a kernel under every policy, and the same text as plain Rust, on outputs of zeros; each must give the same.
macro_rules! agree {
    ($name:ident($($input:expr),*; $($output:ident: $ty:ty, $results:expr),*), $threads:expr) => {{
        let grid = Grid::covering($threads, 64);
        $(let mut $output: Vec<$ty> = vec![<$ty>::default(); $threads * $results];)*
        host::run(grid, || plain::$name($($input,)* $(&mut $output),*));
        let expected = format!("{:?}", ($(&$output,)*));
        everywhere!(|gpu| {
            $(let mut $output: Vec<$ty> = vec![<$ty>::default(); $threads * $results];)*
            let launched = gpu.launch(grid, kernel::$name($($input,)* $(&mut $output),*));
            assert!(launched.is_ok(), "{launched:?}");
            assert_eq!(format!("{:?}", ($(&$output,)*)), expected, "{}", stringify!($name));
        });
    }};
}

macro_rules! integers {
    ($($module:ident: $ty:ident, $unsigned:ident, $only:ident;)*) => {$(
        mod $module {
            use super::*;

            kernels! {
                fn values(a: &[$ty], b: &[$ty], out: &mut [$ty]) {
                    let i = global_id();
                    if i >= a.len() {
                        return;
                    }
                    let x = a[i];
                    let y = b[i];
                    let n = y as u32;
                    let o = i * 30;
                    out[o] = x.wrapping_add(y);
                    out[o + 1] = x.wrapping_sub(y);
                    out[o + 2] = x.wrapping_mul(y);
                    out[o + 3] = x.wrapping_neg();
                    out[o + 4] = x.wrapping_shl(n);
                    out[o + 5] = x.wrapping_shr(n);
                    out[o + 6] = x.wrapping_pow(n % 20);
                    out[o + 7] = x.saturating_add(y);
                    out[o + 8] = x.saturating_sub(y);
                    out[o + 9] = x.saturating_mul(y);
                    out[o + 10] = x.saturating_pow(n % 20);
                    out[o + 11] = x.rotate_left(n);
                    out[o + 12] = x.rotate_right(n);
                    out[o + 13] = x.swap_bytes();
                    out[o + 14] = x.reverse_bits();
                    out[o + 15] = x.min(y);
                    out[o + 16] = x.max(y);
                    out[o + 17] = x.clamp(3, 7);
                    out[o + 18] = x.clamp(x.min(y), 100.max(y));
                    out[o + 19] = (x % 4).pow(2);
                    if x > 0 {
                        out[o + 20] = x.isqrt();
                    }
                    if y != 0 {
                        out[o + 21] = x.wrapping_div(y);
                        out[o + 22] = x.wrapping_rem(y);
                        out[o + 23] = x.wrapping_div_euclid(y);
                        out[o + 24] = x.wrapping_rem_euclid(y);
                        out[o + 25] = (x / 2).div_euclid(y);
                        out[o + 26] = (x / 2).rem_euclid(y);
                    }
                    out[o + 27] = $ty::max(x, 5);
                    out[o + 28] = x.min(3).max(1).wrapping_add(y.min(2));
                    out[o + 29] = $ty::MAX.min(x);
                }

                fn counts(a: &[$ty], out: &mut [u32], distances: &mut [$unsigned]) {
                    let i = global_id();
                    if i >= a.len() {
                        return;
                    }
                    let x = a[i];
                    let o = i * 9;
                    out[o] = x.count_ones();
                    out[o + 1] = x.count_zeros();
                    out[o + 2] = x.leading_zeros();
                    out[o + 3] = x.leading_ones();
                    out[o + 4] = x.trailing_zeros();
                    out[o + 5] = x.trailing_ones();
                    if x > 0 {
                        out[o + 6] = x.ilog2();
                        out[o + 7] = x.ilog10();
                        out[o + 8] = x.ilog(3);
                    }
                    distances[i * 2] = x.abs_diff(7);
                    distances[i * 2 + 1] = x.abs_diff(a[a.len() - 1 - i]);
                }
            }

            kernels_of_kind!($only $ty $unsigned);

            #[test]
            fn methods_are_those_of_rust() {
                let special = [$ty::MIN, $ty::MIN + 1, $ty::MAX, $ty::MAX - 1, $ty::MAX / 2, $ty::MAX / 3];
                let values: Vec<$ty> = (0..9).chain([16, 64, 100, 127]).chain(special).collect();
                let values: Vec<$ty> = values.into_iter().chain([1, 3, 8].map(|x| (0 as $ty).wrapping_sub(x))).collect();
                let (a, b) = pairs(&values);
                agree!(values(&a, &b; out: $ty, 30), a.len());
                agree!(counts(&a; out: u32, 9, distances: $unsigned, 2), a.len());
                compare_kind(&a, &b);
            }
        }
    )*};
}

/// What only signed or only unsigned integers have.
macro_rules! kernels_of_kind {
    (signed $ty:ident $unsigned:ident) => {
        mod kind {
            use super::*;

            kernels! {
                fn signs(a: &[$ty], out: &mut [$ty], magnitudes: &mut [$unsigned], flags: &mut [bool]) {
                    let i = global_id();
                    if i >= a.len() {
                        return;
                    }
                    let x = a[i];
                    out[i * 4] = x.wrapping_abs();
                    out[i * 4 + 1] = x.signum();
                    out[i * 4 + 2] = (x / 2).abs();
                    out[i * 4 + 3] = (x / 2).abs().pow(1);
                    magnitudes[i] = x.unsigned_abs();
                    flags[i * 2] = x.is_positive();
                    flags[i * 2 + 1] = x.is_negative();
                }
            }

            pub(super) fn compare(a: &[$ty]) {
                agree!(signs(a; out: $ty, 4, magnitudes: $unsigned, 1, flags: bool, 2), a.len());
            }
        }

        fn compare_kind(a: &[$ty], _: &[$ty]) {
            kind::compare(a);
        }
    };
    (unsigned $ty:ident $unsigned:ident) => {
        mod kind {
            use super::*;

            kernels! {
                fn multiples(a: &[$ty], b: &[$ty], out: &mut [$ty], flags: &mut [bool]) {
                    let i = global_id();
                    if i >= a.len() {
                        return;
                    }
                    let (x, y) = (a[i], b[i]);
                    if x < 100 {
                        out[i * 3] = x.next_power_of_two();
                    }
                    if y != 0 {
                        out[i * 3 + 1] = x.div_ceil(y);
                        if x < 60 && y < 60 {
                            out[i * 3 + 2] = x.next_multiple_of(y);
                        }
                    }
                    flags[i * 2] = x.is_power_of_two();
                    flags[i * 2 + 1] = x.is_multiple_of(y);
                }
            }

            pub(super) fn compare(a: &[$ty], b: &[$ty]) {
                agree!(multiples(a, b; out: $ty, 3, flags: bool, 2), a.len());
            }
        }

        fn compare_kind(a: &[$ty], b: &[$ty]) {
            kind::compare(a, b);
        }
    };
}

integers! {
    of_u8: u8, u8, unsigned;
    of_u16: u16, u16, unsigned;
    of_u32: u32, u32, unsigned;
    of_u64: u64, u64, unsigned;
    of_i8: i8, u8, signed;
    of_i16: i16, u16, signed;
    of_i32: i32, u32, signed;
    of_i64: i64, u64, signed;
}

macro_rules! floats {
    ($($module:ident: $ty:ident, $bits:ident, $error:expr, $values:expr;)*) => {$(
        mod $module {
            use super::*;

            kernels! {
                fn exact(a: &[$ty], b: &[$ty], out: &mut [$ty], flags: &mut [bool], bits: &mut [$bits]) {
                    let i = global_id();
                    if i >= a.len() {
                        return;
                    }
                    let x = a[i];
                    let y = b[i];
                    let o = i * 25;
                    out[o] = x.sqrt();
                    out[o + 1] = x.floor();
                    out[o + 2] = x.ceil();
                    out[o + 3] = x.round();
                    out[o + 4] = x.round_ties_even();
                    out[o + 5] = x.trunc();
                    out[o + 6] = x.fract();
                    out[o + 7] = x.abs();
                    out[o + 8] = x.copysign(if y.is_nan() { 1.0 } else { y });
                    out[o + 9] = x.signum();
                    out[o + 10] = x.recip();
                    out[o + 11] = x.mul_add(y, 0.1);
                    out[o + 12] = x.to_degrees();
                    out[o + 13] = x.to_radians();
                    out[o + 14] = x.rem_euclid(y);
                    out[o + 15] = x.div_euclid(y);
                    out[o + 16] = x.clamp(-1.0, 2.5);
                    out[o + 17] = $ty::from_bits(x.to_bits() ^ 1);
                    if x != y {
                        out[o + 18] = x.min(y);
                        out[o + 19] = x.max(y);
                    }
                    out[o + 20] = x.next_up();
                    out[o + 21] = x.next_down();
                    out[o + 22] = x.midpoint(y);
                    out[o + 23] = $ty::from_le_bytes(x.to_ne_bytes());
                    out[o + 24] = $ty::from_be_bytes(x.to_be_bytes());
                    let f = i * 7;
                    flags[f] = x.is_nan();
                    flags[f + 1] = x.is_finite();
                    flags[f + 2] = x.is_infinite();
                    if !x.is_nan() {
                        flags[f + 3] = x.is_sign_negative();
                        flags[f + 4] = x.is_sign_positive();
                        bits[i] = x.to_bits() ^ $bits::from_be_bytes(y.abs().to_le_bytes()).rotate_left(3);
                    }
                    flags[f + 5] = x.is_normal();
                    flags[f + 6] = x.is_subnormal();
                }

                fn rounded(a: &[$ty], b: &[$ty], out: &mut [$ty]) {
                    let i = global_id();
                    if i >= a.len() {
                        return;
                    }
                    let x = a[i];
                    let y = b[i];
                    let o = i * 27;
                    out[o] = x.sin();
                    out[o + 1] = x.cos();
                    out[o + 2] = x.tan();
                    out[o + 3] = x.asin();
                    out[o + 4] = x.acos();
                    out[o + 5] = x.atan();
                    out[o + 6] = x.atan2(y);
                    out[o + 7] = x.sinh();
                    out[o + 8] = x.cosh();
                    out[o + 9] = x.tanh();
                    out[o + 10] = x.asinh();
                    out[o + 11] = x.acosh();
                    out[o + 12] = x.atanh();
                    out[o + 13] = x.exp();
                    out[o + 14] = x.exp2();
                    out[o + 15] = x.exp_m1();
                    out[o + 16] = x.ln();
                    out[o + 17] = x.ln_1p();
                    out[o + 18] = x.log2();
                    out[o + 19] = x.log10();
                    out[o + 20] = x.log(2.5);
                    out[o + 21] = x.powf(y);
                    out[o + 22] = x.powi(3);
                    out[o + 23] = x.cbrt();
                    out[o + 24] = x.hypot(y);
                    let (sin, cos) = x.sin_cos();
                    out[o + 25] = sin;
                    out[o + 26] = cos;
                }
            }

            #[test]
            fn methods_are_those_of_rust() {
                let least = $ty::from_bits(1);
                let ends = [$ty::MIN, $ty::MAX / 2.0, ($ty::MAX / 2.0).next_up(), $ty::MAX.next_down()];
                let small = [-$ty::MIN_POSITIVE, $ty::MIN_POSITIVE.next_down(), least, -least, 1.0 + $ty::EPSILON];
                let values: Vec<$ty> = $values.into_iter().chain(ends).chain(small).collect();
                let (a, b) = pairs::<$ty>(&values);
                agree!(exact(&a, &b; out: $ty, 25, flags: bool, 7, bits: $bits, 1), a.len());
            }

            #[test]
            fn functions_are_near_those_of_the_host() {
                let (a, b) = pairs::<$ty>(&$values);
                let grid = Grid::covering(a.len(), 64);
                let mut expected = vec![0.0; a.len() * 27];
                host::run(grid, || plain::rounded(&a, &b, &mut expected));
                let mut first = None;
                everywhere!(|gpu| {
                    let mut out: Vec<$ty> = vec![0.0; a.len() * 27];
                    let launched = gpu.launch(grid, kernel::rounded(&a, &b, &mut out));
                    assert!(launched.is_ok(), "{launched:?}");
                    for (at, (&found, &expected)) in out.iter().zip(&expected).enumerate() {
                        let (x, y) = (a[at / 27], b[at / 27]);
                        // As text: NaNs and infinities are equal, too.
                        let near = format!("{found:?}") == format!("{expected:?}")
                            || (found - expected).abs() <= $error * expected.abs();
                        assert!(near, "function {} of {x:?}, {y:?}: {found:?}, not {expected:?}", at % 27);
                    }
                    let bits: Vec<$bits> = out.iter().map(|value| value.to_bits()).collect();
                    assert!(*first.get_or_insert_with(|| bits.clone()) == bits, "not the same everywhere");
                });
            }
        }
    )*};
}

floats! {
    of_f32: f32, u32, 4e-7, [
        0.0, -0.0, 0.1, 0.5, 1.0, -1.0, 1.5, -2.5, 3.0, -7.25, 12.5, 1e-20, 1e-40, 123_456.7, f32::MAX, f32::MIN_POSITIVE,
        f32::INFINITY, f32::NEG_INFINITY, f32::NAN,
    ];
    of_f64: f64, u64, 8e-16, [
        0.0, -0.0, 0.1, 0.5, 1.0, -1.0, 1.5, -2.5, 3.0, -7.25, 12.5, 1e-20, 1e-310, 123_456.7, f64::MAX, f64::MIN_POSITIVE,
        f64::INFINITY, f64::NEG_INFINITY, f64::NAN,
    ];
}
