//! Integers of every width: arithmetic wraps, shifts take the low bits of their count, division rounds towards zero.

use simt::prelude::*;

/// Every two of the type's values that are special somewhere.
macro_rules! pairs {
    ($ty:ident as $host:ident) => {{
        let (least, most) = ($host::MIN, $host::MAX);
        let values: Vec<$ty> =
            [0, 1, 2, 3, 7, 8, 64, 100, 127, most, most - 1, least, least.wrapping_add(1), most / 2, most / 3]
                .into_iter()
                .chain([1, 2, 3, 7, 64].map(|value| (0 as $host).wrapping_sub(value)))
                .map(|value| value as $ty)
                .collect();
        let pairs = values.iter().flat_map(|&x| values.iter().map(move |&y| (x, y)));
        pairs.unzip::<_, _, Vec<$ty>, Vec<$ty>>()
    }};
}

/// Results of an operation kernel per thread.
const RESULTS: usize = 21;

/// For each type a kernel of all operators, and what the host's wrapping methods give. `usize` and `isize` are the
/// device's, so the host computes with 32 bits.
macro_rules! integers {
    ($($name:ident, $compare:ident: $ty:ident as $host:ident;)*) => {
        mod kernel {
            use super::RESULTS;
            use simt::kernel;
            $(
                #[kernel]
                pub(super) fn $name(a: &[$ty], b: &[$ty], count: &[u32], out: &mut [$ty]) {
                    let i = global_id();
                    if i >= a.len() {
                        return;
                    }
                    let x = a[i];
                    let y = b[i];
                    let n = count[i];
                    let o = i * RESULTS;
                    out[o] = x + y;
                    out[o + 1] = x - y;
                    out[o + 2] = x * y;
                    out[o + 3] = x & y;
                    out[o + 4] = x | y;
                    out[o + 5] = x ^ y;
                    out[o + 6] = !x;
                    out[o + 7] = x << n;
                    out[o + 8] = x >> n;
                    if y != 0 {
                        out[o + 9] = x / y;
                        out[o + 10] = x % y;
                    }
                    out[o + 11] = x / 1;
                    out[o + 12] = x % 1;
                    out[o + 13] = x / 2;
                    out[o + 14] = x % 2;
                    out[o + 15] = x / 64;
                    out[o + 16] = x % 64;
                    out[o + 17] = x / 7;
                    out[o + 18] = x % 7;
                    out[o + 19] = (x << 3) >> 2;
                    // Intermediate results are of the type, too.
                    out[o + 20] = (x + y) / 3;
                }

                #[kernel]
                pub(super) fn $compare(a: &[$ty], b: &[$ty], out: &mut [bool]) {
                    let i = global_id();
                    if i < a.len() {
                        out[i * 6] = a[i] == b[i];
                        out[i * 6 + 1] = a[i] != b[i];
                        out[i * 6 + 2] = a[i] < b[i];
                        out[i * 6 + 3] = a[i] <= b[i];
                        out[i * 6 + 4] = a[i] > b[i];
                        out[i * 6 + 5] = a[i] >= b[i];
                    }
                }
            )*
        }

        $(
            #[test]
            fn $name() {
                let (a, b) = pairs!($ty as $host);
                let count: Vec<u32> = (0..a.len()).map(|i| [0, 1, 3, 7, 8, 15, 16, 31, 32, 33, 63, 64, 255][i % 13]).collect();
                let mut expected: Vec<$ty> = Vec::new();
                for ((&x, &y), &n) in a.iter().zip(&b).zip(&count) {
                    let (x, y) = (x as $host, y as $host);
                    let divided = |d: $host| if d == 0 { [0, 0] } else { [x.wrapping_div(d), x.wrapping_rem(d)] };
                    let results = [
                        x.wrapping_add(y), x.wrapping_sub(y), x.wrapping_mul(y), x & y, x | y, x ^ y, !x,
                        x.wrapping_shl(n), x.wrapping_shr(n), divided(y)[0], divided(y)[1],
                        x, 0, x / 2, x % 2, x / 64, x % 64, x / 7, x % 7, x.wrapping_shl(3) >> 2, x.wrapping_add(y) / 3,
                    ];
                    expected.extend(results.map(|result| result as $ty));
                }
                everywhere!(|gpu| {
                    let mut out = vec![0; expected.len()];
                    let launched = gpu.launch(Grid::covering(a.len(), 96), kernel::$name(&a, &b, &count, &mut out));
                    assert!(launched.is_ok(), "{launched:?}");
                    let differs = out.iter().zip(&expected).position(|(found, expected)| found != expected);
                    let what = differs.map(|at| (a[at / RESULTS], b[at / RESULTS], at % RESULTS, out[at], expected[at]));
                    assert_eq!(what, None, "(x, y, result number, found, expected)");
                });
            }

            #[test]
            fn $compare() {
                let (a, b) = pairs!($ty as $host);
                let compared = a.iter().zip(&b).flat_map(|(x, y)| [x == y, x != y, x < y, x <= y, x > y, x >= y]);
                let expected: Vec<bool> = compared.collect();
                everywhere!(|gpu| {
                    let mut out = vec![false; expected.len()];
                    let launched = gpu.launch(Grid::covering(a.len(), 96), kernel::$compare(&a, &b, &mut out));
                    assert!(launched.is_ok(), "{launched:?}");
                    assert_eq!(out, expected);
                });
            }
        )*
    };
}

integers! {
    u8_operators, u8_comparisons: u8 as u8;
    u16_operators, u16_comparisons: u16 as u16;
    u32_operators, u32_comparisons: u32 as u32;
    u64_operators, u64_comparisons: u64 as u64;
    i8_operators, i8_comparisons: i8 as i8;
    i16_operators, i16_comparisons: i16 as i16;
    i32_operators, i32_comparisons: i32 as i32;
    i64_operators, i64_comparisons: i64 as i64;
    usize_operators, usize_comparisons: usize as u32;
    isize_operators, isize_comparisons: isize as i32;
}

macro_rules! negations {
    ($($name:ident: $ty:ident as $host:ident;)*) => {
        mod negation {
            use simt::kernel;
            $(
                #[kernel]
                pub(super) fn $name(a: &[$ty], out: &mut [$ty]) {
                    let i = global_id();
                    out[i * 3] = -a[i];
                    out[i * 3 + 1] = a[i] / -1;
                    out[i * 3 + 2] = a[i] % -2;
                }
            )*
        }
        $(
            #[test]
            fn $name() {
                let a = [0, 1, -1, 2, -7, $host::MAX, $host::MIN, $host::MIN + 1].map(|value| value as $ty);
                let results = a.map(|x| x as $host).map(|x| [x.wrapping_neg(), x.wrapping_div(-1), x.wrapping_rem(-2)]);
                let expected: Vec<$ty> = results.as_flattened().iter().map(|&result| result as $ty).collect();
                everywhere!(|gpu| {
                    let mut out = [0; 24];
                    let launched = gpu.launch(Grid::new(1, a.len()), negation::$name(&a, &mut out));
                    assert!(launched.is_ok(), "{launched:?}");
                    assert_eq!(out, *expected);
                });
            }
        )*
    };
}
negations! {
    i8_negation: i8 as i8;
    i16_negation: i16 as i16;
    i32_negation: i32 as i32;
    i64_negation: i64 as i64;
    isize_negation: isize as i32;
}

mod bools {
    use super::*;

    kernels! {
        fn logic(a: &[bool], b: &[bool], out: &mut [bool]) {
            let i = global_id();
            let x = a[i];
            let y = b[i];
            out[i * 12] = x & y;
            out[i * 12 + 1] = x | y;
            out[i * 12 + 2] = x ^ y;
            out[i * 12 + 3] = !x;
            out[i * 12 + 4] = x && y;
            out[i * 12 + 5] = x || y;
            out[i * 12 + 6] = x == y;
            out[i * 12 + 7] = x != y;
            out[i * 12 + 8] = x < y;
            out[i * 12 + 9] = x <= y;
            out[i * 12 + 10] = x > y;
            out[i * 12 + 11] = x >= y;
        }
    }

    #[test]
    fn bool_operators() {
        let (a, b) = ([false, false, true, true, true], [false, true, false, true, true]);
        let mut expected = [false; 60];
        let grid = Grid::new(1, 5);
        crate::support::host::run(grid, || plain::logic(&a, &b, &mut expected));
        everywhere!(|gpu| {
            let mut out = [true; 60];
            let launched = gpu.launch(grid, kernel::logic(&a, &b, &mut out));
            assert!(launched.is_ok(), "{launched:?}");
            assert_eq!(out, expected);
        });
    }
}
