//! Signals and their frequencies: Fourier's transform and its inverse, in steps that halve (Cooley and Tukey 1965).

use simt::prelude::*;
use std::f32::consts::PI;
use std::ops::{Add, Div, Mul, Sub};

#[derive(Clone, Copy, Debug, Default, KernelData, PartialEq)]
struct Complex {
    re: f32,
    im: f32,
}

#[device]
impl Add for Complex {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { re: self.re + other.re, im: self.im + other.im }
    }
}

#[device]
impl Sub for Complex {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self { re: self.re - other.re, im: self.im - other.im }
    }
}

#[device]
impl Mul for Complex {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self { re: self.re * other.re - self.im * other.im, im: self.re * other.im + self.im * other.re }
    }
}

#[device]
impl Div<f32> for Complex {
    type Output = Self;

    fn div(self, by: f32) -> Self {
        Self { re: self.re / by, im: self.im / by }
    }
}

#[device]
impl Complex {
    /// The number of length 1 at an angle.
    fn at(angle: f32) -> Self {
        let (im, re) = angle.sin_cos();
        Self { re, im }
    }
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq, Eq)]
enum Direction {
    Forward,
    Inverse,
}

#[device]
impl Direction {
    /// The angle of half a turn.
    fn half_turn(self) -> f32 {
        match self {
            Direction::Forward => -PI,
            Direction::Inverse => PI,
        }
    }
}

/// Transforms samples that stand in the order of their reversed bits, by a thread for each two of them.
#[device]
fn butterflies<const N: usize>(x: &mut [Complex; N], direction: Direction) {
    let t = thread_idx().x;
    for half in std::iter::successors(Some(1), |half| Some(2 * half)).take_while(|&half| half < N) {
        sync_threads();
        let k = t % half;
        let (even, odd) = (2 * t - k, 2 * t - k + half);
        let turned = x[odd] * Complex::at(direction.half_turn() * k as f32 / half as f32);
        (x[even], x[odd]) = (x[even] + turned, x[even] - turned);
    }
    sync_threads();
}

/// Transforms a signal for each block, whose threads are half as many as its samples.
#[kernel]
fn fft<const N: usize>(signals: &mut [Complex], direction: Direction) {
    #[shared]
    let mut x: [Complex; N];
    let t = thread_idx().x;
    let signal = &mut signals[block_idx().x * N..][..N];
    for i in [t, t + N / 2] {
        x[i] = signal[i.reverse_bits() >> (N.leading_zeros() + 1)];
    }
    butterflies(&mut x, direction);
    for i in [t, t + N / 2] {
        signal[i] = match direction {
            Direction::Forward => x[i],
            Direction::Inverse => x[i] / N as f32,
        };
    }
}

/// The transform of a signal by its definition, in double precision.
fn dft(signal: &[Complex], direction: Direction) -> Vec<(f64, f64)> {
    let (sign, scale) = match direction {
        Direction::Forward => (-1.0, 1.0),
        Direction::Inverse => (1.0, signal.len() as f64),
    };
    let bin = |f: usize| {
        let parts = signal.iter().enumerate().map(|(i, x)| {
            let angle = sign * std::f64::consts::TAU * (f * i % signal.len()) as f64 / signal.len() as f64;
            let ((sin, cos), (re, im)) = (angle.sin_cos(), (f64::from(x.re), f64::from(x.im)));
            (re * cos - im * sin, re * sin + im * cos)
        });
        let (re, im) = parts.fold((0.0, 0.0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
        (re / scale, im / scale)
    };
    (0..signal.len()).map(bin).collect()
}

fn is_near(found: &[Complex], expected: &[(f64, f64)], tolerance: f64) -> bool {
    let away = |(x, &(re, im)): (&Complex, &(f64, f64))| (f64::from(x.re) - re).hypot(f64::from(x.im) - im);
    found.len() == expected.len() && found.iter().zip(expected).map(away).all(|away| away < tolerance)
}

/// Two signals: noise, and two waves.
fn signals<const N: usize>() -> Vec<Complex> {
    let noise = (0..N).map(|i| Complex { re: (i * i % 17) as f32 / 8.0 - 1.0, im: (i * 5 % 11) as f32 / 8.0 });
    let wave = |i: usize, times: usize| Complex::at(2.0 * PI * (i * times % N) as f32 / N as f32);
    noise.chain((0..N).map(|i| wave(i, 1) + wave(i, 3) / 2.0)).collect()
}

fn check<const N: usize>() {
    let start = signals::<N>();
    let transformed = |x: &[Complex], direction| x.chunks(N).flat_map(|x| dft(x, direction)).collect::<Vec<_>>();
    let frequencies = transformed(&start, Direction::Forward);
    // What rounds most is a sum of N terms below 2, in log2(N) steps.
    let tolerance = 2.0 * N as f64 * f64::from(f32::EPSILON) * f64::from(N.ilog2());
    super::race_free(&|gpu| {
        let mut x = start.clone();
        gpu.launch(Grid::new(2, N / 2), fft::<N>(&mut x, Direction::Forward)).unwrap();
        assert!(is_near(&x, &frequencies, tolerance), "{x:?} {frequencies:?}");
        // The two waves are all that their signal has.
        let loud = |i: &usize| x[N + i].re.hypot(x[N + i].im) > 0.01;
        assert_eq!((0..N).filter(loud).collect::<Vec<_>>(), [1, 3]);
        let signals = transformed(&x, Direction::Inverse);
        gpu.launch(Grid::new(2, N / 2), fft::<N>(&mut x, Direction::Inverse)).unwrap();
        assert!(is_near(&x, &signals, tolerance), "{x:?} {signals:?}");
        let start: Vec<_> = start.iter().map(|x| (f64::from(x.re), f64::from(x.im))).collect();
        assert!(is_near(&x, &start, tolerance), "{x:?} {start:?}");
    });
}

#[test]
fn signals_have_frequencies() {
    check::<8>();
    check::<64>();
}
