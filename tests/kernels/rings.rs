//! Polynomials over any ring: reals, complex numbers, a prime field, dual numbers.
use simt::host::HostData;
use simt::prelude::*;
use std::ops::{Add, Mul};

#[device]
trait Ring: Copy + Add<Output = Self> + Mul<Output = Self> {
    const ZERO: Self;
    const ONE: Self;
}

#[device]
impl Ring for f64 {
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Mod<const P: u32>(u32);

#[device]
impl<const P: u32> Add for Mod<P> {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Mod((self.0 + o.0) % P)
    }
}

#[device]
impl<const P: u32> Mul for Mod<P> {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        Mod((u64::from(self.0) * u64::from(o.0) % u64::from(P)) as u32)
    }
}

#[device]
impl<const P: u32> Ring for Mod<P> {
    const ZERO: Self = Mod(0);
    const ONE: Self = Mod(1);
}

/// A value and its derivative.
#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Dual<T> {
    re: T,
    eps: T,
}

#[device]
impl<T: Ring> Add for Dual<T> {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Dual { re: self.re + o.re, eps: self.eps + o.eps }
    }
}

#[device]
impl<T: Ring> Mul for Dual<T> {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        Dual { re: self.re * o.re, eps: self.re * o.eps + self.eps * o.re }
    }
}

#[device]
impl<T: Ring> Ring for Dual<T> {
    const ZERO: Self = Dual { re: T::ZERO, eps: T::ZERO };
    const ONE: Self = Dual { re: T::ONE, eps: T::ZERO };
}

#[derive(Clone, Copy, KernelData)]
struct Poly<'a, T> {
    coeffs: &'a [T],
}

#[device]
impl<T: Ring> Poly<'_, T> {
    fn eval(&self, x: T) -> T {
        self.coeffs.iter().rev().fold(T::ZERO, |acc, &c| acc * x + c)
    }

    fn eval_powers(&self, x: T) -> T {
        let mut power = T::ONE;
        let mut sum = T::ZERO;
        for &c in self.coeffs.iter() {
            sum = sum + c * power;
            power = power * x;
        }
        sum
    }
}

#[kernel]
fn evaluate<T: Ring>(coeffs: &[T], x: &[T], horner: &mut [T], powers: &mut [T]) {
    let i = global_id();
    if i < x.len() {
        let p = Poly { coeffs };
        horner[i] = p.eval(x[i]);
        powers[i] = p.eval_powers(x[i]);
    }
}

fn on_gpu<T: Ring + HostData + KernelData>(coeffs: &[T], x: &[T]) -> Result<(Vec<T>, Vec<T>), LaunchError> {
    let (mut a, mut b) = (x.to_vec(), x.to_vec());
    Gpu::<Ipdom>::default().launch(Grid::covering(x.len(), 32), evaluate(coeffs, x, &mut a, &mut b))?;
    Ok((a, b))
}

#[test]
fn rings() -> Result<(), LaunchError> {
    let c = [1.0, -2.5, 0.0, 4.0];
    let x: Vec<f64> = (0..40).map(|i| i as f64 / 8.0 - 2.0).collect();
    let (a, b) = on_gpu(&c, &x)?;
    for ((&x, a), b) in x.iter().zip(a).zip(b) {
        assert_eq!(a, ((4.0 * x + 0.0) * x - 2.5) * x + 1.0);
        assert!((a - b).abs() < 1e-9);
    }

    let c = [3, 100, 0, 7918, 5].map(Mod::<7919>);
    let x: Vec<Mod<7919>> = (0..50).map(|i| Mod(i * 157 % 7919)).collect();
    let (a, b) = on_gpu(&c, &x)?;
    let host: Vec<Mod<7919>> = x
        .iter()
        .map(|&Mod(x)| {
            let mut sum = 0u64;
            for Mod(c) in c.iter().rev() {
                sum = (sum * x as u64 + *c as u64) % 7919;
            }
            Mod(sum as u32)
        })
        .collect();
    assert_eq!(a, host);
    assert_eq!(b, host);

    let c = [1.0, -2.0, 3.0].map(|re| Dual { re, eps: 0.0 });
    let x: Vec<Dual<f64>> = (0..9).map(|i| Dual { re: i as f64, eps: 1.0 }).collect();
    let (a, _) = on_gpu(&c, &x)?;
    for (x, a) in x.iter().zip(a) {
        assert_eq!(a, Dual { re: 1.0 - 2.0 * x.re + 3.0 * x.re * x.re, eps: -2.0 + 6.0 * x.re });
    }
    Ok(())
}
