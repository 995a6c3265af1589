//! Operators of users' types, as `std::ops` has them, beside those on scalars.

use simt::prelude::*;
use std::ops::{Add, AddAssign, BitXor, Div, Mul, MulAssign, Neg, Not, Rem, Shl, ShlAssign, Sub, SubAssign};

#[derive(Clone, Copy, Debug, Default, KernelData, PartialEq, PartialOrd)]
struct Vec3 {
    x: f32,
    y: f32,
    z: f32,
}

#[device]
impl Vec3 {
    const UP: Self = Self { x: 0.0, y: 1.0, z: 0.0 };

    fn new(x: f32, y: f32, z: f32) -> Self {
        Self { x, y, z }
    }

    fn scaled(self) -> Self {
        -2.0 * self.same() * 0.5
    }

    fn same(self) -> Self {
        self
    }
}

#[device]
impl Add for Vec3 {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y, self.z + other.z)
    }
}

#[device]
impl Sub for Vec3 {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y, self.z - other.z)
    }
}

#[device]
impl Mul<f32> for Vec3 {
    type Output = Vec3;

    fn mul(self, by: f32) -> Vec3 {
        Vec3 { x: self.x * by, y: self.y * by, z: self.z * by }
    }
}

#[device]
impl Mul<Vec3> for f32 {
    type Output = Vec3;

    fn mul(self, v: Vec3) -> Vec3 {
        v * self
    }
}

/// The dot product.
#[device]
impl Mul for Vec3 {
    type Output = f32;

    fn mul(self, other: Vec3) -> f32 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }
}

#[device]
impl Div<f32> for Vec3 {
    type Output = Vec3;

    fn div(self, by: f32) -> Vec3 {
        let inverse = 1.0 / by;
        self * inverse
    }
}

#[device]
impl Neg for Vec3 {
    type Output = Vec3;

    fn neg(self) -> Vec3 {
        Vec3::default() - self
    }
}

#[device]
impl AddAssign for Vec3 {
    fn add_assign(&mut self, other: Vec3) {
        *self = *self + other;
    }
}

#[device]
impl SubAssign<f32> for Vec3 {
    fn sub_assign(&mut self, by: f32) {
        self.x -= by;
        self.y -= by;
        self.z -= by;
    }
}

#[device]
impl MulAssign<f32> for Vec3 {
    fn mul_assign(&mut self, by: f32) {
        *self = by * *self;
    }
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Body {
    at: Vec3,
    speed: Vec3,
    mass: f32,
}

alike! {
    fn move_all(bodies: &mut [Body], out: &mut [f32], time: f32) {
        let i = global_id();
        let body = bodies[i];
        let half = 0.5;
        let mut force = Vec3::UP * -9.81 * body.mass + 2.0 * body.speed - body.at / 3.0;
        force += Vec3::new(1.0, 0.0, body.mass * half) * time;
        force *= 0.25;
        force -= half;
        bodies[i].speed += force * (time / body.mass);
        bodies[i].at += bodies[i].speed * time;
        bodies[i].mass *= 2.0;
        bodies[i].mass += body.mass / 4.0 - 1.0;
        let length = (force * force + body.at * Vec3::UP).abs().sqrt();
        out[i] = length * 2.0 + (-force).x + -(force * Vec3::UP);
        let mut last = bodies[i];
        last.at *= bodies[i].speed * bodies[i].at;
        last.mass -= 0.5;
        out[i] += last.at.z * last.mass - -0.5 * last.at.scaled().x;
    }

    fn power(x: &mut [Modular<1_000_003>], bits: &mut [Bits], out: &mut [u64]) {
        let i = global_id();
        let mut base = x[i];
        let mut result = Modular::<1_000_003> { value: 1 };
        let mut exponent = 1 + 3 * i;
        while exponent > 0 {
            if exponent % 2 == 1 {
                result = result * base;
            }
            base = base * base;
            exponent /= 2;
        }
        if result == base || base * result != result * base {
            result = result + result;
        }
        x[i] = result + result * base;
        if !x[i] {
            x[i].value += 7;
        }
        let mut sum = bits[i];
        sum <<= 3;
        bits[i] <<= sum.low as u32 % 5;
        bits[i] = bits[i] ^ sum << 1;
        out[i] = bits[i] % 1009 + (bits[i] << 2).high % 7;
    }
}

#[test]
fn vectors_have_operators() {
    let body = |i: usize| {
        let x = i as f32;
        Body { at: Vec3::new(x, 1.0, -x), speed: Vec3::new(3.0 * x, 0.5, x), mass: 1.0 + x }
    };
    let start: Vec<Body> = (0..20).map(body).collect();
    let (mut expected, mut sums) = (start.clone(), vec![0.0; 20]);
    crate::support::host::run(Grid::new(1, 20), || plain::move_all(&mut expected, &mut sums, 0.125));
    everywhere!(|gpu| {
        let (mut bodies, mut out) = (start.clone(), vec![0.0; 20]);
        gpu.launch(Grid::new(1, 20), move_all(&mut bodies, &mut out, 0.125)).unwrap();
        assert_eq!((&bodies, &out), (&expected, &sums));
    });
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq, Eq)]
struct Modular<const P: u32> {
    value: u32,
}

#[device]
impl<const P: u32> Add for Modular<P> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Modular { value: (self.value + other.value) % P }
    }
}

#[device]
impl<const P: u32> Mul for Modular<P> {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Modular { value: (self.value as u64 * other.value as u64 % P as u64) as u32 }
    }
}

#[device]
impl<const P: u32> Not for Modular<P> {
    type Output = bool;

    fn not(self) -> bool {
        self.value == 0
    }
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq, Eq)]
struct Bits {
    low: u64,
    high: u64,
}

#[device]
impl Shl<u32> for Bits {
    type Output = Bits;

    fn shl(self, by: u32) -> Bits {
        if by == 0 {
            return self;
        }
        Bits { low: self.low << by, high: self.high << by | self.low >> (64 - by) }
    }
}

#[device]
impl ShlAssign<u32> for Bits {
    fn shl_assign(&mut self, by: u32) {
        *self = *self << by;
    }
}

#[device]
impl BitXor for Bits {
    type Output = Bits;

    fn bitxor(self, other: Bits) -> Bits {
        Bits { low: self.low ^ other.low, high: self.high ^ other.high }
    }
}

#[device]
impl Rem<u64> for Bits {
    type Output = u64;

    fn rem(self, by: u64) -> u64 {
        (self.high % by + self.low % by) % by
    }
}

#[test]
fn numbers_of_ones_own_have_operators() {
    let start: Vec<_> = (0..20).map(|i| Modular { value: 500 * i }).collect();
    let bits: Vec<_> = (0..20).map(|i| Bits { low: 0x1234_5678_9abc_def0_u64.wrapping_mul(i + 1), high: i }).collect();
    let mut expected = (start.clone(), bits.clone(), vec![0; 20]);
    crate::support::host::run(Grid::new(1, 20), || plain::power(&mut expected.0, &mut expected.1, &mut expected.2));
    everywhere!(|gpu| {
        let mut found = (start.clone(), bits.clone(), vec![0; 20]);
        gpu.launch(Grid::new(1, 20), power(&mut found.0, &mut found.1, &mut found.2)).unwrap();
        assert_eq!(found, expected);
    });
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Pair<T> {
    first: T,
    second: T,
}

#[device]
impl<T: Num> Add for Pair<T> {
    type Output = Pair<T>;

    fn add(self, other: Self) -> Self {
        Pair { first: self.first + other.first, second: self.second + other.second }
    }
}

#[device]
impl<T: Num> Mul<T> for Pair<T> {
    type Output = Pair<T>;

    fn mul(self, by: T) -> Self {
        Pair { first: self.first * by, second: self.second * by }
    }
}

#[kernel]
fn sums<T: Num>(x: &[T], out: &mut [Pair<T>]) {
    let i = global_id();
    let pair = Pair { first: x[i], second: x[i + 1] };
    out[i] = (pair + out[i]) * x[i] + out[i];
}

#[test]
fn operators_of_a_generic_struct_are_generic() {
    everywhere!(|gpu| {
        let mut out = [Pair { first: 1, second: 2 }; 4];
        gpu.launch(Grid::new(1, 4), sums(&[1, 2, 3, 4, 5], &mut out)).unwrap();
        assert_eq!(out.map(|pair| (pair.first, pair.second)), [(3, 6), (7, 12), (13, 20), (21, 30)]);
    });
}
