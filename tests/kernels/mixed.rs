//! Operators, enums, options, patterns and methods in each other, and in loops: the host runs the same text.

use simt::prelude::*;
use std::ops::{Add, AddAssign, Mul, MulAssign};

#[derive(Clone, Copy, Debug, Default, KernelData, PartialEq, PartialOrd)]
struct V(i64, i64);

#[device]
impl Add for V {
    type Output = V;

    fn add(self, V(x, y): V) -> V {
        V(self.0 + x, self.1 + y)
    }
}

#[device]
impl Mul<i64> for V {
    type Output = V;

    fn mul(self, k: i64) -> V {
        V(self.0 * k, self.1 * k)
    }
}

#[device]
impl AddAssign for V {
    fn add_assign(&mut self, o: V) {
        self.0 += o.0;
        *self = V(self.0, self.1 + o.1);
    }
}

#[device]
impl MulAssign<i64> for V {
    fn mul_assign(&mut self, k: i64) {
        *self = *self * k;
    }
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
enum Move {
    Stay,
    Go(V),
    Turn { by: i64, twice: bool },
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Walker {
    at: V,
    seed: u32,
    left: u32,
}

#[device]
impl Walker {
    /// The next move, if it has not come to an end.
    fn next(&mut self) -> Option<Move> {
        self.left = self.left.checked_sub(1)?;
        self.seed = self.seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        Some(match self.seed >> 29 {
            0 | 1 => Move::Stay,
            n @ 2..=4 => Move::Go(V(n as i64, 1)),
            n => Move::Turn { by: n as i64 - 6, twice: self.seed & 0x100 != 0 },
        })
    }

    fn apply(&mut self, step: Move) -> Result<i64, V> {
        match step {
            Move::Stay => return Err(self.at),
            Move::Go(by) => self.at += by,
            Move::Turn { by, twice: true } => {
                self.at *= by;
                self.at += V(1, 0) * by;
            }
            Move::Turn { by, .. } if by > 0 => self.at = V(0, by) + self.at,
            Move::Turn { by, twice } => self.at += V(by, twice as i64),
        }
        Ok(self.at.0 % 1000)
    }

    fn run(&mut self) -> Result<i64, V> {
        let mut sum = 0;
        while let Some(step) = self.next() {
            let Move::Stay = step else {
                sum += self.apply(step)?;
                continue;
            };
            if sum > 5 {
                return self.apply(step).map(|n| n + 100);
            }
        }
        Ok(sum)
    }
}

/// How often; and what was passed by.
#[device]
impl V {
    fn push(&mut self, o: V) -> u32 {
        *self += o * 2;
        *self *= 3;
        if *self > V(100, 0) { 1 } else { 2 }
    }

    fn even(n: i64, count: &mut i64) -> Option<i64> {
        *count += n;
        if n % 2 == 0 { Some(n / 2) } else { None }
    }

    fn depth(self, left: u32) -> Option<u32> {
        if self.0 > 40 || left == 0 {
            return None;
        }
        let below = (self * 2 + V(1, 1)).depth(left - 1);
        Some(below.map_or(1, |n| n + 1))
    }
}

alike! {
    fn walk(walkers: &mut [Walker], out: &mut [i64]) {
        let i = global_id();
        let mut walker = walkers[i];
        out[i] = match walker.run() {
            Ok(n) => n,
            Err(V(x, y)) if x == y => 1_000_000,
            Err(at) => at.0 * 2 + at.1,
        };
        walkers[i] = walker;
        if let Some(Move::Turn { by, .. } | Move::Go(V(by, _))) = walkers[i].next() {
            walkers[i].at.1 -= by;
        }
        walkers[i].at += V(1, 1) * out[i];
        walkers[i].at *= -1;
    }

    fn order(x: &[i64], out: &mut [i64]) {
        let i = global_id();
        let mut v = V(x[i], 1);
        let mut count = 0;
        // What an operand is, it is before a later one changes it.
        let sum = v + { v.0 = 10; v } + V(v.push(V(1, 2)) as i64, v.1);
        let x = V::even(sum.0, &mut count);
        let x = x.map(|x| {
            count += 1;
            let v = V(x, x) * 2;
            v.0 + count
        });
        let y = x.unwrap_or({ count += 10; count });
        let z = x.and_then(|x| if x > 4 { Some(V(x, count)) } else { None }).unwrap_or_else(|| {
            count += 100;
            V(count, 0)
        });
        let mut last = None;
        let found = 'all: {
            for (k, step) in [(1, V(3, 4)), (2, V(-1, 2)), (3, z)] {
                match (last, step) {
                    (None, s) if s.0 < 0 => break 'all k,
                    (Some(V(a, _)), V(b, _)) if a > b => break 'all 10 * k,
                    (_, s) => last = Some(s),
                }
                if k == 2 {
                    continue;
                }
                v += step;
            }
            99
        };
        let deep = v.depth(5).map(|n| n as i64 * 7);
        out[i] = sum.0 * 1000 + sum.1 + y + z.0 + z.1 + found + count + deep.unwrap_or(-1) + v.0 - v.1;
    }
}

#[test]
fn walkers_walk() {
    let walker = |i: u32| Walker { at: V(i as i64, 2), seed: i * 77, left: i % 9 };
    let start: Vec<Walker> = (0..48).map(walker).collect();
    let mut expected = (start.clone(), vec![0; 48]);
    crate::support::host::run(Grid::new(3, 16), || plain::walk(&mut expected.0, &mut expected.1));
    everywhere!(|gpu| {
        let mut found = (start.clone(), vec![0; 48]);
        gpu.launch(Grid::new(3, 16), walk(&mut found.0, &mut found.1)).unwrap();
        assert_eq!(found, expected);
    });
}

#[test]
fn operands_are_evaluated_in_order() {
    let x: Vec<i64> = (0..32).map(|i| i * 5 % 23 - 6).collect();
    let mut expected = vec![0; 32];
    crate::support::host::run(Grid::new(2, 16), || plain::order(&x, &mut expected));
    everywhere!(|gpu| {
        let mut out = vec![0; 32];
        gpu.launch(Grid::new(2, 16), order(&x, &mut out)).unwrap();
        assert_eq!(out, expected);
    });
}
