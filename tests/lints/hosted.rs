//! Functions of generic types, which the host has, too: no lint speaks of what it has for kernels' sake.

use simt::prelude::*;
use std::ops::Add;

/// A pair of anything.
#[derive(Clone, Copy, Debug, Eq, KernelData, PartialEq)]
pub struct Two<T> {
    a: T,
    b: T,
}

#[device]
impl<T: Copy + PartialOrd + Default> Two<T> {
    pub fn new() -> Self {
        Self { a: T::default(), b: T::default() }
    }

    pub const fn of(a: T, b: T) -> Self {
        Self { a, b }
    }

    pub fn is_empty(&self, a: u32, b: u32, c: u32, d: u32, e: u32) -> bool {
        let all = a + b + c + d + e;
        self.a >= self.b && all == 0
    }

    pub fn largest(self) -> T {
        if self.a < self.b { self.b } else { self.a }
    }
}

#[device]
impl<T: Num> Two<T> {
    pub fn len(&self) -> usize {
        2
    }

    pub fn add(self, mut other: Self) -> Self {
        other.a += self.a;
        Self { a: other.a, b: self.b + other.b }
    }

    pub fn first_of<'a>(&self, items: &'a [T], others: &[T]) -> &'a [T] {
        if others[0] < self.a { items } else { &items[1..] }
    }

    /// Has a comment of its own.
    fn lane<U: Copy>(self, value: Two<U>) -> U {
        if lane_id() == 0 { value.a } else { value.b }
    }
}

#[device]
impl<T: Copy + Add<Output = T>> Add for Two<T> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { a: self.a + other.a, b: self.b + other.b }
    }
}

/// Calls all of them.
#[kernel]
pub fn twos(x: &[u32], y: &mut [u32]) {
    let i = global_id();
    let two = Two::of(x[i], 3).add(Two::new()) + Two::of(1, 1);
    y[i] = two.first_of(x, x)[0] + two.lane(Two::of(5, 6));
    if two.is_empty(0, 0, 0, 0, 0) {
        y[i] += two.largest() + two.len() as u32;
    }
}

#[test]
fn they_do_what_is_written() -> Result<(), LaunchError> {
    let (x, mut y) = ([7, 1], [0; 2]);
    drop(Gpu::<Ipdom>::default().launch(Grid::new(1, 2), twos(&x, &mut y))?);
    assert_eq!(y, [7 + 5 + 8 + 2, 1 + 6]);
    assert_eq!((Two::of(3, 9).largest(), Two::new() + Two::of(1, 2)), (9, Two::of(1, 2)));
    Ok(())
}
