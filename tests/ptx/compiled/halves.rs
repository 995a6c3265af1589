//! Floats of 16 bits.

use super::{Run, arguments, everywhere};
use crate::gallery::input::Random;
use simt::Grid;
use simt::half::f16;
use simt::host::DeviceMemory;

const COUNT: usize = 64;

fn polynomial(run: &Run) {
    let x: Vec<f16> = Random::new(111).floats(COUNT, -4.0, 4.0).into_iter().map(f16::from_f32).collect();
    let mut memory = DeviceMemory::new();
    let (at, y) = (memory.upload(&x).unwrap(), memory.upload(&[f16::ZERO; COUNT]).unwrap());
    run.launch("polynomial", Grid::new(1, COUNT), &mut memory, arguments![at, y]);
    // Products and sums of two such floats are exact in 64 bits: so each is rounded once.
    let rounded = |value: f64| f16::from_f64(value).to_f64();
    let horner = |x: &f16| {
        let step = |sum: f64, k: f64| rounded(rounded(sum * x.to_f64()) + k);
        f16::from_f64([-1.5, -0.5, 0.5].into_iter().fold(0.25, step))
    };
    let expected: Vec<f16> = x.iter().map(horner).collect();
    assert_eq!(memory.read::<f16>(y, COUNT).unwrap(), expected, "{run}");
}

fn narrow(run: &Run) {
    let mut x = Random::new(112).floats(COUNT + 1, -1000.0, 1000.0);
    (x[3], x[7], x[11], x[12]) = (1e6, f32::NAN, 1e-6, 1.000_001e-6);
    let mut memory = DeviceMemory::new();
    let (at, y) = (memory.upload(&x).unwrap(), memory.upload(&[0f32; COUNT]).unwrap());
    let order = memory.upload(&[9u32; COUNT]).unwrap();
    run.launch("narrow", Grid::new(1, COUNT), &mut memory, arguments![at, y, order]);
    let half = |i: usize| f16::from_f32(x[i]);
    let compared = |i: usize| {
        let (own, next) = (half(i), half(i + 1));
        u32::from(own < next) + 2 * u32::from(own == next) + 4 * u32::from(own.is_nan())
    };
    let expected: Vec<f32> = (0..COUNT).map(|i| half(i).to_f32()).collect();
    assert!(expected[3].is_infinite() && expected[11] == expected[12]);
    let found = memory.read::<f32>(y, COUNT).unwrap();
    for i in 0..COUNT {
        assert!(found[i] == expected[i] || found[i].is_nan() && expected[i].is_nan(), "{run}: {} at {i}", found[i]);
    }
    assert_eq!(memory.read::<u32>(order, COUNT).unwrap(), (0..COUNT).map(compared).collect::<Vec<u32>>(), "{run}");
}

#[test]
fn polynomials_of_16_bits() {
    everywhere("half", &["polynomial"], polynomial);
}

#[test]
fn floats_of_16_bits_and_back() {
    everywhere("half", &["narrow"], narrow);
}
