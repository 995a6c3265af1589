//! Operators by reference, `Sum` of users' types, and iterators that are passed: the text is compiled as plain Rust, too.

#![allow(clippy::op_ref, reason = "operators of references are what is tested")]

use simt::prelude::KernelData;
use std::iter::{Product, Sum};
use std::ops::{Add, AddAssign, Mul, Neg, Sub};

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct V {
    x: u32,
    y: u32,
}

#[simt::device]
impl<'a> Add<&'a V> for &'a V {
    type Output = V;

    fn add(self, other: &V) -> Self::Output {
        V { x: self.x + other.x, y: self.y + other.y }
    }
}

#[simt::device]
impl Add for V {
    type Output = V;

    fn add(self, other: Self) -> V {
        &self + &other
    }
}

#[simt::device]
impl Add<&V> for V {
    type Output = V;

    fn add(self, other: &V) -> V {
        self + *other
    }
}

#[simt::device]
impl Sub<V> for &V {
    type Output = V;

    fn sub(self, other: V) -> V {
        V { x: self.x.wrapping_sub(other.x), y: self.y.wrapping_sub(other.y) }
    }
}

#[simt::device]
impl AddAssign<&V> for V {
    fn add_assign(&mut self, other: &V) {
        self.x += other.x;
        self.y += other.y;
    }
}

#[simt::device]
impl Mul<&V> for u32 {
    type Output = V;

    fn mul(self, v: &V) -> V {
        V { x: self * v.x, y: self * v.y }
    }
}

#[simt::device]
impl Neg for &V {
    type Output = V;

    fn neg(self) -> V {
        V { x: !self.x, y: !self.y }
    }
}

#[simt::device]
impl Sum for V {
    fn sum<I: Iterator<Item = Self>>(items: I) -> Self {
        items.fold(V { x: 0, y: 1 }, |a, b| a + b)
    }
}

#[simt::device]
impl<'a> Sum<&'a V> for V {
    fn sum<I: Iterator<Item = &'a V>>(items: I) -> Self {
        items.copied().sum()
    }
}

#[simt::device]
impl Product<u32> for V {
    fn product<I: Iterator<Item = u32>>(items: I) -> Self {
        let mut all = V { x: 1, y: 0 };
        for item in items {
            all.x = all.x.wrapping_mul(item | 1);
            all.y += 1;
        }
        all
    }
}

#[derive(Clone, Copy, Debug, KernelData)]
struct Both<T> {
    v: T,
    number: u32,
}

type Count = u32;

items_with_kernels! {
    {
        fn total(all: &[V]) -> V {
            all.iter().sum()
        }
        fn evens(items: impl Iterator<Item = u32>) -> u32 {
            let mut sum = 0;
            for item in items {
                if item % 2 == 0 {
                    sum += item;
                }
            }
            sum
        }
        fn largest<I: Iterator<Item = u32>>(items: I, or: u32) -> u32 {
            items.max().unwrap_or(or)
        }
        fn first_two(items: &mut impl Iterator<Item = u32>) -> u32 {
            let first = items.next().unwrap_or(7);
            first * 100 + items.next().unwrap_or(9)
        }
        fn mixed(mut items: impl Iterator<Item = (usize, u32)>, f: impl Fn(u32) -> u32) -> u32 {
            let mut sum = 0;
            while let Some((place, item)) = items.next() {
                sum = sum * 3 + f(item) + place as u32;
                if sum > 1000 {
                    break;
                }
            }
            sum
        }
        fn three(r: &[u32; 3]) -> u32 {
            r[0] + 10 * r[1] + 100 * r[2]
        }
        fn bump(r: &mut [u32; 3]) {
            r[0] += 1;
        }
        fn less(v: V, by: u32) -> V {
            V { x: v.x.wrapping_sub(by), ..v }
        }
        fn kept<T: Copy>(both: Both<T>) -> T {
            both.v
        }
        fn both(items: impl Iterator<Item = u32>) -> u32 {
            evens(items.map(|item| item + 1))
        }
    }
    fn references(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let (mut v, w) = (V { x: x[i], y: 2 }, V { x: 5, y: i as u32 });
        v = &v + &w;
        v += &w;
        let u = 3 * &v + &w;
        let d = &u - v;
        let n = -&d;
        out[i] = v.x + u.y * 3 + d.x + n.y % 7 + (v + w).x;
    }
    fn sums(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let all = [V { x: x[i], y: 1 }, V { x: 2, y: i as u32 }, V { x: 3, y: 4 }];
        let s: V = all.iter().map(|v| 2 * v).sum();
        let t = all[..i % 4].iter().copied().sum::<V>();
        let p: V = x[..i % 5].iter().copied().product();
        let count: Count = x[..i].iter().sum();
        let sum = total(&all);
        out[i] = s.x + s.y * 3 + t.x * 5 + t.y + p.x % 11 + p.y + count + sum.x + sum.y;
    }
    fn placed(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let all = [V { x: x[i], y: 1 }, V { x: 2, y: i as u32 }, V { x: 3, y: 4 }];
        let mut v = V { x: 0, y: 0 };
        let mut places = [v; 3];
        v = all.iter().copied().sum();
        places[i % 3] = all[..i % 4].iter().sum();
        let mut both: Both<V> = Both { v: x[..i % 5].iter().copied().product(), number: x[..i].iter().map(|v| v % 5).sum() };
        let first = both.v.x % 11 + both.number;
        both.v = all.iter().map(|v| 2 * v).sum();
        both.number = (0..i as u32).map(|k| k * 2).sum();
        let found: Option<V> = Some(all[1..].iter().sum());
        let small = less(all.iter().sum(), x[..i].iter().map(|v| v % 3).sum());
        let rest = kept(Both { v: all[i % 3..].iter().sum::<V>() + v, number: 0 });
        let of_three = places[0].x + places[1].x * 3 + places[2].y * 5;
        out[i] = v.x + of_three + first + both.v.y + both.number + found.unwrap().x + small.x % 1009 + small.y + rest.x;
    }
    fn passed(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let own = [x[i], 4, 6];
        let mut it = x.iter().copied().skip(i);
        let first = first_two(&mut it);
        let rest = it.next().unwrap_or(1000);
        let mut asked = 0;
        let counted = evens(own.iter().map(|v| {
            asked += 1;
            v * i as u32
        }));
        out[i] = first * 7 + rest + asked + counted + evens(x.iter().copied()) + evens(0..i as u32)
            + largest(x[..i].iter().map(|v| v ^ i as u32), 3) + both(own.iter().copied().filter(|v| *v > 3))
            + mixed(x.iter().copied().enumerate().skip(i % 3), |v| v + own[1]);
    }
    fn inserted(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut o = if i % 2 == 0 { Some(x[i]) } else { None };
        *o.get_or_insert(7) += x[i];
        let mut p = None;
        *p.get_or_insert_with(|| x[i] + 1) *= 3;
        out[i] = o.unwrap() + p.unwrap_or(0);
    }
    fn rows(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut m = [[x[i], 2, 3], [4, 5, i as u32]];
        let row: &[u32; 3] = &m[i % 2];
        let read = three(row) + three(&m[0]) + row[1];
        let written = &mut m[i % 2];
        bump(written);
        out[i] = read + m[0][0] * 3 + m[1][0];
    }
}

same! { references sums placed passed inserted rows }
