//! Traits with type parameters, functions of traits with their own, traits of tuples and arrays, blanket implementations.

#![allow(clippy::needless_range_loop, reason = "the text is what users write first")]

use simt::prelude::*;

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct P {
    x: u32,
    y: u32,
}

#[device]
trait Distance<T> {
    fn distance(&self, other: &T) -> u32;

    fn twice(&self, other: &T) -> u32 {
        2 * self.distance(other)
    }
}

#[device]
impl Distance<P> for P {
    fn distance(&self, other: &P) -> u32 {
        self.x.abs_diff(other.x) + self.y.abs_diff(other.y)
    }
}

#[device]
impl Distance<u32> for P {
    fn distance(&self, other: &u32) -> u32 {
        self.x * *other
    }
}

#[device]
trait Combine<Rhs = Self> {
    type Output;
    fn combine(self, rhs: Rhs) -> Self::Output;
}

#[device]
impl Combine for u32 {
    type Output = u32;

    fn combine(self, rhs: u32) -> u32 {
        self * 10 + rhs
    }
}

#[device]
impl Combine<f32> for u32 {
    type Output = f32;

    fn combine(self, rhs: f32) -> f32 {
        self as f32 + rhs
    }
}

#[device]
trait Measure {
    const SIDES: u32;

    fn measure(&self) -> u32;

    fn scaled<T: Num>(&self, by: T) -> T {
        by + by
    }

    fn more<const N: usize>(self) -> u32
    where
        Self: Sized,
    {
        self.measure() + N as u32
    }

    fn unit() -> Self;
}

#[device]
trait Solid: Measure {
    fn volume(&self) -> u32 {
        self.measure() * Self::SIDES
    }
}

#[device]
impl Measure for u32 {
    const SIDES: u32 = 1;

    fn measure(&self) -> u32 {
        *self + 1
    }

    fn unit() -> Self {
        7
    }
}

#[device]
impl Measure for (u32, u32) {
    const SIDES: u32 = 2;

    fn measure(&self) -> u32 {
        self.0 * self.1
    }

    fn unit() -> Self {
        (2, 3)
    }
}

#[device]
impl<const N: usize> Measure for [u32; N] {
    const SIDES: u32 = 3;

    fn measure(&self) -> u32 {
        let mut sum = 0;
        for i in 0..N {
            sum += self[i];
        }
        sum
    }

    fn unit() -> Self {
        [1; N]
    }
}

#[device]
impl<T: Measure> Solid for T {}

#[device]
fn summed<T: Solid + Copy>(t: T) -> u32 {
    t.volume() + T::unit().measure() * 100 + t.scaled(3u32) + <T as Measure>::measure(&t)
}

#[device]
fn combined<T: Combine<Output = T>>(a: T, b: T) -> T {
    a.combine(b).combine(b)
}

#[device]
fn apart<T: Distance<T> + Distance<u32>>(a: &T, b: &T) -> u32 {
    a.distance(b) + a.twice(&3u32)
}

#[kernel]
fn traits(out: &mut [u32]) {
    let (p, q) = (P { x: 1, y: 2 }, P { x: 4, y: 4 });
    out[0] = p.distance(&q) + 100 * q.distance(&5u32) + 10_000 * q.twice(&p) + apart(&q, &p);
    out[1] = combined(1u32, 2u32) + 1u32.combine(2.5f32) as u32;
    out[2] = summed(4u32);
    out[3] = summed((3, 5)) + <(u32, u32)>::unit().0;
    out[4] = summed([1u32, 2, 3]) + u32::unit();
    out[5] = 5u32.more::<3>() + (1u32, 2u32).more::<4>() + 3u32.scaled(2.5f32) as u32;
}

#[test]
fn traits_have_parameters() {
    everywhere!(|gpu| {
        let mut out = [0; 6];
        gpu.launch(Grid::new(1, 1), traits(&mut out)).unwrap();
        let [first, arrays] = [5 + 2000 + 100_000 + 5 + 24, 18 + 300 + 6 + 6 + 7];
        assert_eq!(out, [first, 122 + 3, 5 + 800 + 6 + 5, 30 + 600 + 6 + 15 + 2, arrays, 9 + 6 + 5]);
    });
}
