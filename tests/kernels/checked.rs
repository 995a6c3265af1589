//! Numeric methods that tell whether they have a result, conversions, and what constants of the host become.

use crate::support::host;
use simt::prelude::*;

kernels! {
    fn overflowing(a: &[i8], b: &[i8], out: &mut [i8], flags: &mut [bool]) {
        let i = global_id();
        if i >= a.len() {
            return;
        }
        let x = a[i];
        let y = b[i];
        let n = b[i] as u8 as u32 % 9;
        let (sum, wraps) = x.overflowing_add(y);
        out[i * 5] = sum;
        flags[i * 12] = wraps;
        out[i * 5 + 1] = x.overflowing_sub(y).0;
        flags[i * 12 + 1] = x.overflowing_sub(y).1;
        let product = x.overflowing_mul(y);
        out[i * 5 + 2] = product.0;
        flags[i * 12 + 2] = product.1;
        out[i * 5 + 3] = x.overflowing_neg().0;
        flags[i * 12 + 3] = x.overflowing_neg().1;
        out[i * 5 + 4] = x.overflowing_pow(n).0;
        flags[i * 12 + 4] = x.overflowing_pow(n).1;
        flags[i * 12 + 5] = x.checked_add(y).is_some();
        flags[i * 12 + 6] = x.checked_sub(y).is_none();
        flags[i * 12 + 7] = x.checked_mul(y).is_some();
        flags[i * 12 + 8] = x.checked_neg().is_none();
        flags[i * 12 + 9] = x.checked_pow(n).is_some();
        flags[i * 12 + 10] = x.checked_div(y).is_none();
        flags[i * 12 + 11] = x.checked_shl(n).is_some() && x.checked_rem(y).is_some();
    }

    fn values_or(a: &[i8], b: &[i8], out: &mut [i8]) {
        let i = global_id();
        if i >= a.len() {
            return;
        }
        let x = a[i];
        let y = b[i];
        let n = b[i] as u8 as u32 % 12;
        out[i * 8] = x.checked_add(y).unwrap_or(1);
        out[i * 8 + 1] = x.checked_sub(y).unwrap_or(y);
        out[i * 8 + 2] = x.checked_mul(y).unwrap_or(x.min(y));
        out[i * 8 + 3] = x.checked_div(y).unwrap_or(3);
        out[i * 8 + 4] = x.checked_rem(y).unwrap_or(4);
        out[i * 8 + 5] = x.checked_shl(n).unwrap_or(5).wrapping_add(x.checked_shr(n).unwrap_or(6));
        let negative = x.checked_neg();
        if negative.is_some() {
            out[i * 8 + 6] = negative.unwrap_or(0);
        }
        out[i * 8 + 7] = x.checked_pow(2).unwrap_or(i8::MAX);
    }

    fn conversions(a: &[u8], out: &mut [u64], floats: &mut [f64]) {
        let i = global_id();
        if i < a.len() {
            let x = a[i];
            out[i * 3] = u64::from(x) + u64::from(x > 3);
            out[i * 3 + 1] = u64::from(u16::from(x).pow(2));
            out[i * 3 + 2] = u64::from(f32::from(x).to_bits());
            floats[i] = f64::from(x) * std::f64::consts::PI + f64::from(1.5f32);
        }
    }

    // An operand that changes what an earlier one has read.
    fn order(a: &[u32], out: &mut [u32]) {
        let i = global_id();
        if i < a.len() {
            let mut x = a[i];
            out[i * 2] = x.min({ x = x.wrapping_add(7); x / 2 }).max({ x = x.wrapping_mul(3); x });
            out[i * 2 + 1] = x.wrapping_add(x.checked_add({ x = 5; x }).unwrap_or({ x = 6; x }));
        }
    }
}

fn pairs() -> (Vec<i8>, Vec<i8>) {
    let values = [0, 1, -1, 2, -2, 3, 7, 11, 16, -17, 64, 100, 127, -127, -128];
    values.iter().flat_map(|&x| values.iter().map(move |&y| (x, y))).unzip()
}

#[test]
fn overflows_are_told() {
    let (a, b) = pairs();
    let grid = Grid::covering(a.len(), 32);
    let (mut expected, mut expected_flags) = (vec![0; a.len() * 5], vec![false; a.len() * 12]);
    host::run(grid, || plain::overflowing(&a, &b, &mut expected, &mut expected_flags));
    everywhere!(|gpu| {
        let (mut out, mut flags) = (vec![0; a.len() * 5], vec![false; a.len() * 12]);
        let launched = gpu.launch(grid, kernel::overflowing(&a, &b, &mut out, &mut flags));
        assert!(launched.is_ok(), "{launched:?}");
        assert_eq!((&out, &flags), (&expected, &expected_flags));
    });
}

#[test]
fn an_option_has_its_value_or_another() {
    let (a, b) = pairs();
    let grid = Grid::covering(a.len(), 32);
    let mut expected = vec![0; a.len() * 8];
    host::run(grid, || plain::values_or(&a, &b, &mut expected));
    everywhere!(|gpu| {
        let mut out = vec![0; a.len() * 8];
        let launched = gpu.launch(grid, kernel::values_or(&a, &b, &mut out));
        assert!(launched.is_ok(), "{launched:?}");
        assert_eq!(out, expected);
    });
}

#[test]
fn from_loses_nothing() {
    let a = [0, 1, 3, 4, 100, 255];
    let (mut expected, mut expected_floats) = (vec![0; a.len() * 3], vec![0.0; a.len()]);
    host::run(Grid::new(1, 6), || plain::conversions(&a, &mut expected, &mut expected_floats));
    everywhere!(|gpu| {
        let (mut out, mut floats) = (vec![0; a.len() * 3], vec![0.0; a.len()]);
        let launched = gpu.launch(Grid::new(1, 6), kernel::conversions(&a, &mut out, &mut floats));
        assert!(launched.is_ok(), "{launched:?}");
        assert_eq!((&out, &floats), (&expected, &expected_floats));
    });
}

#[test]
fn operands_are_evaluated_in_order() {
    let a = [0, 1, 5, 9, 100, u32::MAX - 3];
    let mut expected = vec![0; a.len() * 2];
    host::run(Grid::new(1, 6), || plain::order(&a, &mut expected));
    everywhere!(|gpu| {
        let mut out = vec![0; a.len() * 2];
        let launched = gpu.launch(Grid::new(1, 6), kernel::order(&a, &mut out));
        assert!(launched.is_ok(), "{launched:?}");
        assert_eq!(out, expected);
    });
}
