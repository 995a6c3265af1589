//! Indices that change what they are for: as in Rust, the array is looked at behind them.

use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct Random {
    words: [u32; 4],
    pairs: [[u32; 2]; 4],
    at: usize,
}

#[device]
impl Random {
    fn step(&mut self) -> usize {
        self.at = (self.at + 1) % 4;
        self.words[self.at] += 10;
        self.pairs[self.at][1] += 100;
        self.at
    }

    fn third(which: usize) -> usize {
        which % 3
    }

    fn turn(&mut self, which: usize) -> u32 {
        match which {
            0 => return self.words[self.step()],
            1 => self.words[self.step()] = 5,
            2 => self.words[self.step()] ^= 1,
            3 => return self.pairs[self.step()][1],
            4 => return self.pairs[0][self.step() % 2],
            5 => self.pairs[self.step()][0] = 7,
            6 => self.pairs[1][self.step() % 2] = 9,
            7 => self.pairs[self.step()][1] += 3,
            8 => self.pairs[self.step()][self.step() % 2] = self.step() as u32,
            9 => return self.pairs[self.step()].iter().sum(),
            10 => self.words[1..][Self::third(which)] = self.step() as u32,
            _ => self.pairs[self.step()].swap(0, 1),
        }
        0
    }
}

alike! {
    fn turned(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut random = Random { words: [x[i], 2, 3, 4], pairs: [[1, 2], [3, 4], [5, 6], [7, 8]], at: i % 3 };
        let mut sum = 0;
        for _ in 0..3 {
            sum = sum * 3 + random.turn(i % 12);
        }
        for k in 0..4 {
            sum = sum * 5 % 65_521 + random.words[k] + random.pairs[k][0] * 7 + random.pairs[k][1] * 13;
        }
        out[i] = sum;
    }

    fn rows(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut nested = [[[x[i], 2], [3, 4], [5, 6]], [[7, 8], [9, x[i]], [11, 12]]];
        let mut points = [[(x[i], 2_u8), (3, 4), (5, 6)], [(7, 8), (9, 10), (11, 12)]];
        let k = i % 2;
        nested[k].reverse();
        nested[k][1].reverse();
        nested[1].rotate_left(1);
        points[k].reverse();
        points[k].swap(0, 1);
        points[1].rotate_right(2);
        let first = *nested[k].first().unwrap();
        let last = *points[1 - k].last().unwrap();
        let mut sum = first[0] + last.0 * 3 + last.1 as u32 * 5 + nested[k].len() as u32 + points[k].len() as u32;
        for row in nested {
            for [a, b] in row {
                sum = sum * 3 % 65_521 + a + b * 2;
            }
        }
        for row in points {
            for (a, b) in row {
                sum = sum * 3 % 65_521 + a + b as u32 * 2;
            }
        }
        out[i] = sum;
    }
}

mod everywhere {
    use super::plain;
    mod kernel {
        pub(super) use super::super::{rows, turned};
    }

    same! { turned rows }
}
