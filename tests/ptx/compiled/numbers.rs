//! Numbers of all widths.

use super::{Run, arguments, everywhere};
use crate::gallery::input::Random;
use simt::Grid;
use simt::host::DeviceMemory;

const COUNT: usize = 64;

fn doubles(seed: u64, low: f32, high: f32) -> Vec<f64> {
    Random::new(seed).floats(COUNT, low, high).into_iter().map(|x| f64::from(x) * 1.000_000_123_4).collect()
}

fn roots(run: &Run) {
    let (p, q) = (doubles(71, -10.0, 10.0), doubles(72, -10.0, 20.0));
    let mut memory = DeviceMemory::new();
    let (at_p, at_q) = (memory.upload(&p).unwrap(), memory.upload(&q).unwrap());
    let out = memory.upload(&[0f64; 2 * COUNT]).unwrap();
    run.launch("roots", Grid::new(1, COUNT), &mut memory, arguments![at_p, at_q, out]);
    let both = |i: usize| {
        let half = -0.5 * p[i];
        let inside = half * half - q[i];
        if inside < 0.0 {
            return [-1.0, -1.0];
        }
        let first = half + inside.sqrt().copysign(half);
        let second = q[i] / first;
        [first.max(second), first.min(second)]
    };
    let expected: Vec<f64> = (0..COUNT).flat_map(both).collect();
    assert!(expected.contains(&-1.0) && expected.iter().any(|&root| root > 0.0));
    assert_eq!(memory.read::<f64>(out, 2 * COUNT).unwrap(), expected, "{run}");
}

fn cube_roots(run: &Run) {
    let x = doubles(73, 0.1, 1000.0);
    let mut memory = DeviceMemory::new();
    let (at, out) = (memory.upload(&x).unwrap(), memory.upload(&[0f64; COUNT]).unwrap());
    let rounds = memory.upload(&[0u32; COUNT]).unwrap();
    run.launch("cube_roots", Grid::new(1, COUNT), &mut memory, arguments![at, out, rounds]);
    let newton = |&x: &f64| {
        let (mut root, mut last, mut round) = (x / 3.0, 0f64, 0u32);
        while (root - last).abs() > 1e-14 * root.abs() && round < 100 {
            last = root;
            root = (2.0 * last + x / (last * last)) / 3.0;
            round += 1;
        }
        assert!((root - x.cbrt()).abs() <= 1e-14 * root);
        (root, round)
    };
    let (roots, all): (Vec<f64>, Vec<u32>) = x.iter().map(newton).unzip();
    assert_eq!(memory.read::<f64>(out, COUNT).unwrap(), roots, "{run}");
    assert_eq!(memory.read::<u32>(rounds, COUNT).unwrap(), all, "{run}");
}

fn fused(run: &Run) {
    let x = Random::new(74).floats(COUNT + 2, -2.0, 2.0);
    let mut memory = DeviceMemory::new();
    let at = memory.upload(&x).unwrap();
    let [once, twice] = [0, 1].map(|_| memory.upload(&[0f32; COUNT]).unwrap());
    let wide = memory.upload(&[0f64; COUNT]).unwrap();
    run.launch("fused", Grid::new(1, COUNT), &mut memory, arguments![at, once, twice, wide]);
    let fused: Vec<f32> = x.windows(3).map(|x| x[0].mul_add(x[1], x[2])).collect();
    let rounded: Vec<f32> = x.windows(3).map(|x| x[0] * x[1] + x[2]).collect();
    let double: Vec<f64> =
        x.windows(3).map(|x| f64::from(x[0]).mul_add(f64::from(x[1]), 1.0 / f64::from(x[2]))).collect();
    assert_ne!(fused, rounded);
    assert_eq!(memory.read::<f32>(once, COUNT).unwrap(), fused, "{run}");
    assert_eq!(memory.read::<f32>(twice, COUNT).unwrap(), rounded, "{run}");
    assert_eq!(memory.read::<f64>(wide, COUNT).unwrap(), double, "{run}");
}

/// Numbers of 64 bits: small, large, and at the ends.
fn wide_numbers(seed: u64) -> Vec<i64> {
    let mut random = Random::new(seed);
    let mut one = |i: usize| {
        let bits = u64::from(random.below(u32::MAX)) << 32 | u64::from(random.below(u32::MAX));
        [bits as i64, (bits >> 40) as i64 + 1, -((bits >> 50) as i64) - 1, i64::MAX - i as i64][i % 4]
    };
    (0..COUNT).map(&mut one).collect()
}

fn divide(run: &Run) {
    let (x, mut y) = (wide_numbers(75), wide_numbers(76));
    // So that not the same kinds meet.
    y.rotate_right(COUNT / 4 + 1);
    let mut memory = DeviceMemory::new();
    let (at_x, at_y) = (memory.upload(&x).unwrap(), memory.upload(&y).unwrap());
    let out = memory.upload(&[0i64; 6 * COUNT]).unwrap();
    run.launch("divide", Grid::new(1, COUNT), &mut memory, arguments![at_x, at_y, out]);
    let all = |i: usize| {
        let (a, b) = (x[i], y[i]);
        [
            a / b,
            a % b,
            (a as u64 / b as u64) as i64,
            (a as u64 % b as u64) as i64,
            i64::from(a as i32 / (b as i32 | 1)),
            i64::from(a as u32 % (b as u32 | 1)),
        ]
    };
    let expected: Vec<i64> = (0..COUNT).flat_map(all).collect();
    assert_eq!(memory.read::<i64>(out, 6 * COUNT).unwrap(), expected, "{run}");
}

fn bits(run: &Run) {
    let mut x = Random::new(77).numbers(COUNT + 1, u32::MAX);
    (x[3], x[4], x[5]) = (0, 1, 1 << 31);
    let mut memory = DeviceMemory::new();
    let (at, out) = (memory.upload(&x).unwrap(), memory.upload(&[0u32; 8 * COUNT]).unwrap());
    run.launch("bits", Grid::new(1, COUNT), &mut memory, arguments![at, out]);
    let all = |i: usize| {
        let (a, b) = (x[i], x[i + 1]);
        let both = u64::from(a) << 32 | u64::from(b);
        [
            a.count_ones(),
            a.leading_zeros(),
            if a == 0 { 0 } else { a.trailing_zeros() + 1 },
            a.reverse_bits(),
            ((u64::from(a) * u64::from(b)) >> 32) as u32,
            ((u64::from(b) << 32 | u64::from(a)) << (i % 32) >> 32) as u32,
            both.wrapping_mul(both).count_ones(),
            ((u128::from(both) * u128::from(both)) >> 96) as u32,
        ]
    };
    let expected: Vec<u32> = (0..COUNT).flat_map(all).collect();
    assert_eq!(memory.read::<u32>(out, 8 * COUNT).unwrap(), expected, "{run}");
}

fn convert(run: &Run) {
    let x = doubles(78, -100_000.0, 100_000.0);
    let mut memory = DeviceMemory::new();
    let (at, out) = (memory.upload(&x).unwrap(), memory.upload(&[0i64; 8 * COUNT]).unwrap());
    run.launch("convert", Grid::new(1, COUNT), &mut memory, arguments![at, out]);
    let all = |&x: &f64| {
        [
            x as i64,
            i64::from(x as i32),
            i64::from(x as i32 as i8),
            i64::from(x as i32 as u16),
            i64::from((x as f32).to_bits() as i32),
            x.floor() as i64,
            (x * 1_048_577.0) as i64 as f32 as i64,
            x as i64 as u64 as f64 as i64,
        ]
    };
    // The last of a negative one is above all numbers that there are: of that, C says nothing.
    let known = |all: &[i64]| -> Vec<i64> { all.chunks(8).flat_map(|mine| mine[..7].to_vec()).collect() };
    let expected: Vec<i64> = x.iter().flat_map(all).collect();
    let found = memory.read::<i64>(out, 8 * COUNT).unwrap();
    assert_eq!(known(&found), known(&expected), "{run}");
    for i in (0..COUNT).filter(|&i| x[i] >= 0.0) {
        assert_eq!(found[8 * i + 7], expected[8 * i + 7], "{run}");
    }
}

#[test]
fn roots_of_doubles() {
    everywhere("numbers", &["roots"], roots);
}

#[test]
fn doubles_until_they_stay() {
    everywhere("numbers", &["cube_roots"], cube_roots);
}

#[test]
fn products_and_sums_in_one() {
    everywhere("numbers", &["fused"], fused);
}

#[test]
fn divisions_of_all_kinds() {
    everywhere("numbers", &["divide"], divide);
}

#[test]
fn bits_of_words() {
    everywhere("numbers", &["bits"], bits);
}

#[test]
fn conversions() {
    everywhere("numbers", &["convert"], convert);
}
