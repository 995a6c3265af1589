//! Floats: IEEE arithmetic as the host does it, bit for bit; a NaN that becomes visible is Rust's own.

use simt::prelude::*;

macro_rules! floats {
    ($($name:ident, $compare:ident, $literals:ident: $ty:ident, $values:expr;)*) => {
        mod kernel {
            use simt::kernel;
            $(
                #[kernel]
                pub(super) fn $name(a: &[$ty], b: &[$ty], out: &mut [$ty]) {
                    let i = global_id();
                    if i < a.len() {
                        out[i * 8] = a[i] + b[i];
                        out[i * 8 + 1] = a[i] - b[i];
                        out[i * 8 + 2] = a[i] * b[i];
                        out[i * 8 + 3] = a[i] / b[i];
                        out[i * 8 + 4] = a[i] % b[i];
                        out[i * 8 + 5] = -a[i];
                        out[i * 8 + 6] = a[i] * b[i] + 0.1;
                        out[i * 8 + 7] = a[i];
                    }
                }

                #[kernel]
                pub(super) fn $compare(a: &[$ty], b: &[$ty], out: &mut [bool]) {
                    let i = global_id();
                    if i < a.len() {
                        out[i * 7] = a[i] == b[i];
                        out[i * 7 + 1] = a[i] != b[i];
                        out[i * 7 + 2] = a[i] < b[i];
                        out[i * 7 + 3] = a[i] <= b[i];
                        out[i * 7 + 4] = a[i] > b[i];
                        out[i * 7 + 5] = a[i] >= b[i];
                        out[i * 7 + 6] = !(a[i] < b[i]);
                    }
                }

                #[kernel]
                pub(super) fn $literals(out: &mut [$ty]) {
                    out[0] = 0.1;
                    out[1] = -1e-7;
                    out[2] = 1.0 / 3.0;
                    out[3] = $ty::MAX;
                    out[4] = $ty::NAN;
                    out[5] = -$ty::INFINITY;
                    out[6] = 16_777_217.0;
                    out[7] = -0.0;
                }
            )*
        }

        $(
            #[test]
            fn $name() {
                let (a, b) = pairs(&$values);
                let canonical = |value: $ty| if value.is_nan() { $ty::NAN.to_bits() } else { value.to_bits() };
                let computed = a.iter().zip(&b).flat_map(|(&x, &y)| [x + y, x - y, x * y, x / y, x % y, -x, x * y + 0.1, x]);
                let expected: Vec<_> = computed.map(canonical).collect();
                everywhere!(|gpu| {
                    let mut out = vec![0.5; expected.len()];
                    let launched = gpu.launch(Grid::covering(a.len(), 64), kernel::$name(&a, &b, &mut out));
                    assert!(launched.is_ok(), "{launched:?}");
                    let differs = out.iter().zip(&expected).position(|(found, expected)| found.to_bits() != *expected);
                    let what = differs.map(|at| (a[at / 8], b[at / 8], at % 8, out[at], expected[at]));
                    assert!(what.is_none(), "(x, y, result number, found, expected bits) = {what:?}");
                });
            }

            #[test]
            fn $compare() {
                let (a, b) = pairs(&$values);
                #[expect(clippy::neg_cmp_op_on_partial_ord, reason = "the kernel negates, and a NaN makes the difference")]
                let compared = a.iter().zip(&b).flat_map(|(x, y)| [x == y, x != y, x < y, x <= y, x > y, x >= y, !(x < y)]);
                let expected: Vec<bool> = compared.collect();
                everywhere!(|gpu| {
                    let mut out = vec![false; expected.len()];
                    let launched = gpu.launch(Grid::covering(a.len(), 64), kernel::$compare(&a, &b, &mut out));
                    assert!(launched.is_ok(), "{launched:?}");
                    assert_eq!(out, expected);
                });
            }

            #[test]
            fn $literals() {
                let expected: [$ty; 8] =
                    [0.1, -1e-7, 1.0 / 3.0, $ty::MAX, $ty::NAN, -$ty::INFINITY, 16_777_217.0, -0.0];
                everywhere!(|gpu| {
                    let mut out = [0.5; 8];
                    let launched = gpu.launch(Grid::new(1, 1), kernel::$literals(&mut out));
                    assert!(launched.is_ok(), "{launched:?}");
                    assert_eq!(out.map($ty::to_bits), expected.map($ty::to_bits));
                });
            }
        )*
    };
}

fn pairs<T: Copy>(values: &[T]) -> (Vec<T>, Vec<T>) {
    values.iter().flat_map(|&x| values.iter().map(move |&y| (x, y))).unzip()
}

floats! {
    f32_operators, f32_comparisons, f32_literals: f32, [
        0.0, -0.0, 1.0, -1.0, 0.1, 3.5, -7.25, 1e10, 1e-40, f32::MIN_POSITIVE, f32::MAX, f32::MIN, f32::EPSILON,
        f32::INFINITY, f32::NEG_INFINITY, f32::NAN, -f32::NAN, f32::from_bits(0x7fa0_0001), f32::from_bits(0xffc1_2345),
    ];
    f64_operators, f64_comparisons, f64_literals: f64, [
        0.0, -0.0, 1.0, -1.0, 0.1, 3.5, -7.25, 1e100, 1e-310, f64::MIN_POSITIVE, f64::MAX, f64::MIN, f64::EPSILON,
        f64::INFINITY, f64::NEG_INFINITY, f64::NAN, -f64::NAN, f64::from_bits(0x7ff4_0000_0000_0001),
    ];
}
