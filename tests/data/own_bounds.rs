//! Constants and operators that a user's trait, or a bound, brings; and what the host has of a `#[device] impl`.

use simt::prelude::*;
use std::ops::{Add, Mul, Neg};

#[device]
trait Ring: Copy + Add<Output = Self> + Mul<Output = Self> {
    const ZERO: Self;
    const ONE: Self;
    /// Two that are the language's, too, of numbers.
    const MIN: u32;
    const NIL: (Self, u32);
}

#[device]
impl Ring for u32 {
    const ZERO: u32 = 100;
    const ONE: u32 = 1;
    const MIN: u32 = 7;
    const NIL: (u32, u32) = (3, 4);
}

#[derive(Clone, Copy, Debug, Eq, KernelData, Ord, PartialEq, PartialOrd)]
struct Pair {
    a: u32,
    b: u32,
}

#[device]
fn product(a: u32, b: u32) -> u32 {
    a.wrapping_mul(b)
}

#[device]
impl Add for Pair {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Pair { a: self.a + o.a, b: self.b + o.b }
    }
}

// The host cannot call what this calls; it has the operator all the same.
#[device]
impl Mul for Pair {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        Pair { a: product(self.a, o.a), b: product(self.b, o.b) }
    }
}

#[device]
impl Neg for Pair {
    type Output = Self;
    fn neg(self) -> Self {
        Pair { a: self.b, b: self.a }
    }
}

#[device]
impl Ring for Pair {
    const ZERO: Self = Pair { a: 0, b: 5 };
    const ONE: Self = Pair { a: 1, b: 1 };
    const MIN: u32 = 8;
    const NIL: (Self, u32) = (Pair { a: 1, b: 2 }, 6);
}

#[device]
impl Pair {
    fn cube(self) -> Self {
        self * self * self
    }

    fn uniform(&self) -> bool {
        self.a == self.b
    }

    fn all(&self, x: &[u32]) -> bool {
        x.iter().all(|&v| v >= self.a) && !x.iter().any(|&v| v > self.b)
    }

    fn least(self, other: Self) -> Self {
        self.min(other).clamp(Pair { a: 0, b: 3 }, Pair { a: 5, b: 0 })
    }
}

#[device]
impl From<Pair> for u64 {
    fn from(pair: Pair) -> u64 {
        u64::from(pair.a) << 32 | u64::from(pair.b)
    }
}

#[device]
fn sum<T: Ring>(x: T, n: u32) -> (T, u32) {
    let mut sum = T::ZERO;
    for _ in 0..n {
        sum = sum + x * T::ONE;
    }
    let (nil, number) = T::NIL;
    (sum + nil, <T as Ring>::MIN + T::MIN + number)
}

#[device]
fn twice<T: Copy + Add<Output = T> + Neg<Output = T>>(x: T) -> T {
    x + x + -x
}

#[device]
fn of_number<T: Num>(_value: T) -> (T, T) {
    (T::MAX, T::MIN)
}

#[kernel]
fn computed(x: &[u32], numbers: &mut [(u32, u32)], pairs: &mut [(Pair, u32)], others: &mut [u64]) {
    let i = global_id();
    if i >= x.len() {
        return;
    }
    const fn square(x: u32) -> u32 {
        x * x
    }
    const NINE: u32 = square(3);
    let pair = Pair { a: x[i], b: NINE - square(2) };
    numbers[i] = sum(x[i], 3);
    pairs[i] = sum(pair, 2);
    let (most, least) = of_number(x[i] as i8);
    let turned = twice(pair).cube().least(Pair { a: 3, b: x[i] });
    others[i] = u64::from(turned) + twice(i as i64) as u64 + (most as i32 - least as i32) as u64;
    if pair.uniform() || pair.all(&x[..4]) {
        others[i] += 1000;
    }
}

#[test]
fn they_are_those_of_the_type() -> Result<(), LaunchError> {
    let x: Vec<u32> = (0..12).collect();
    let (mut numbers, mut pairs, mut others) = (vec![(0, 0); 12], vec![(Pair::ZERO, 0); 12], vec![0; 12]);
    Gpu::<Ipdom>::default().launch(Grid::new(1, 12), computed(&x, &mut numbers, &mut pairs, &mut others))?;
    for (i, &v) in x.iter().enumerate() {
        assert_eq!(numbers[i], (100 + 3 * v + 3, 7 + 7 + 4));
        assert_eq!(pairs[i], (Pair { a: 2 * v + 1, b: 5 + 10 + 2 }, 8 + 8 + 6));
        // Of (v, 5), twice it and its turned one are (2v + 5, 10 + v).
        let cube = Pair { a: (2 * v + 5).pow(3), b: (10 + v).pow(3) };
        let least = cube.min(Pair { a: 3, b: v }).clamp(Pair { a: 0, b: 3 }, Pair { a: 5, b: 0 });
        let (u, w) = (u64::from(least.a) << 32 | u64::from(least.b), if v == 5 || v == 0 { 1000 } else { 0 });
        assert_eq!(others[i], u + i as u64 + 255 + w, "{v}");
    }
    // What calls no device function, the host has.
    assert!(Pair { a: 1, b: 1 }.uniform() && Pair { a: 0, b: 7 }.all(&x[..4]));
    assert_eq!(u64::from(Pair { a: 1, b: 2 }), 1 << 32 | 2);
    assert_eq!(Pair { a: 9, b: 9 }.least(Pair { a: 1, b: 0 }), Pair { a: 1, b: 0 });
    Ok(())
}
