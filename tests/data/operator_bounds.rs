//! `T: Num`, `T: Float` and the like have the operators for which bounds of std ask.

use simt::prelude::*;
use std::ops::{Add, AddAssign, BitXor, Mul, Neg, Not};

#[derive(Clone, Copy, Debug, Default, PartialEq, KernelData)]
struct Complex<T> {
    re: T,
    im: T,
}

#[device]
impl<T: Copy + Add<Output = T>> Add for Complex<T> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { re: self.re + other.re, im: self.im + other.im }
    }
}

#[device]
impl<T: Copy + Neg<Output = T>> Neg for Complex<T> {
    type Output = Self;

    fn neg(self) -> Self {
        Self { re: -self.re, im: -self.im }
    }
}

#[device]
impl<T: Copy + Mul<Output = T>> Complex<T> {
    fn scale(self, by: T) -> Self {
        Self { re: self.re * by, im: self.im * by }
    }
}

#[device]
impl<T: Copy + BitXor<Output = T> + Not<Output = T>> Complex<T> {
    fn mixed(self) -> T {
        !self.re ^ self.im
    }
}

#[kernel]
fn floats<T: Float>(x: &mut [Complex<T>]) {
    let i = global_id();
    let (a, b) = (x[i], x[i] + x[i]);
    x[i] = if i > 1 { -(a + b).scale(T::ONE / 4 as T) } else { a + b };
}

#[kernel]
fn integers<T: Int>(x: &[Complex<T>], out: &mut [T]) {
    let i = global_id();
    out[i] = x[i].mixed();
}

/// The host has the operators, too.
fn polynomial<T: Int>(x: T, y: T) -> T {
    let mut sum = x * x - x / y % x;
    sum += x;
    sum ^ x | !x & x << 1_u32
}

fn total<T: Copy + AddAssign, const N: usize>(first: T, rest: [T; N]) -> T {
    rest.into_iter().fold(first, |mut sum, next| {
        sum += next;
        sum
    })
}

fn doubled<T: Float>(x: T) -> T {
    total(-x, [x, x, x])
}

#[test]
fn numbers_have_what_bounds_of_std_ask_for() -> Result<(), LaunchError> {
    let mut x = [Complex { re: 1.0_f32, im: 2.0 }; 3];
    Gpu::<Ipdom>::default().launch(Grid::new(1, 3), floats(&mut x))?;
    assert_eq!(x, [(3.0, 6.0), (3.0, 6.0), (-0.75, -1.5)].map(|(re, im)| Complex { re, im }));
    let mut out = [0_u8; 1];
    Gpu::<Ipdom>::default().launch(Grid::new(1, 1), integers(&[Complex { re: 5, im: 3 }], &mut out))?;
    assert_eq!(out, [!5 ^ 3]);
    assert_eq!(polynomial(7_i16, 6), (49 - 1 + 7) ^ 7 | !7 & 14);
    assert_eq!(doubled(1.5), 3.0);
    Ok(())
}
