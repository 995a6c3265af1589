//! Methods of slices and arrays: elements that may not be there, search, order, and moves.

use simt::prelude::*;

#[derive(Clone, Copy, Debug, Default, KernelData, PartialEq)]
struct Block {
    words: [u32; 4],
    mark: u32,
}

const PRIMES: [u32; 5] = [2, 3, 5, 7, 11];

kernels_with_devices! {
    devices:
        fn larger(a: &u32, b: &u32) -> u32 {
            if *a > *b { *a } else { *b }
        }

        fn ends(v: &[u32]) -> u32 {
            let Some(first) = v.first() else { return 1000 };
            let last = v.last().unwrap();
            *first * 3 + *last + larger(first, last)
        }

    kernels:
        fn elements(x: &[u32], out: &mut [u32]) {
            let i = global_id();
            let a = match x.get(i + 10) {
                Some(v) => *v * 2,
                None => 77,
            };
            let b = if let Some(&v) = x.get(i * 2) { v } else { 88 };
            let c = *x.first().unwrap() + *x.get(i + 3).unwrap_or(&9) + x.last().map_or(0, |v| *v);
            let d = x.get(i).filter(|v| **v > 10).map(|&v| v * 3).unwrap_or(1);
            let o = x.get(i + 20);
            let e = if let Some(v) = o { *v + 1 } else { 5 };
            let f = ends(&x[i..]) + ends(&x[i..i]) + ends(&[x[i], 3]);
            let g = match (x.get(i + 1), x.get(i + 2)) {
                (Some(a), Some(b)) => *a * *b,
                (Some(&a), None) => a,
                _ => 3,
            };
            let h = *x.iter().max().unwrap() + x.iter().min().copied().unwrap_or(0);
            let k = matches!(x.get(i), Some(&v) if v > 4) as u32 + x.get(i + 1).is_some() as u32;
            let mut n = i;
            while let Some(v) = x.get(n) {
                if *v > 28 {
                    break;
                }
                n += 1;
            }
            let s = if let Some(v) = x.get(i) && *v > 3 && let Some(w) = x.get(i + 1) { *v + *w } else { 6 };
            let t = super::PRIMES.get(i % 9).copied().unwrap_or(1) + b"kernel".get(i % 8).copied().unwrap_or(0) as u32;
            out[i] = a + b * 3 + c * 5 + d * 7 + e * 11 + f * 13 + g * 17 + h * 19 + k * 23 + n as u32 * 29 + s * 31 + t;
        }

        fn parts(x: &[u32], out: &mut [u32]) {
            use super::Block;
            let i = global_id();
            let rows = [[1, 2, 3], [4, 5, x[i]]];
            let a = rows[i % 2].last().copied().unwrap_or(0) + *rows[1].get(i % 4).unwrap_or(&100);
            let mut block = Block { words: [x[i], 9, 4, 6], mark: 1 };
            block.words.reverse();
            block.words.sort_unstable();
            block.words.rotate_left(1);
            let b = block.words.first().copied().unwrap_or(0) + block.words.get(i % 6).copied().unwrap_or(50) * 3;
            let mut blocks = [block; 3];
            blocks[i % 3].words.sort();
            blocks[i % 3].words.swap(0, i % 4);
            let mut c = 0;
            for block in &blocks {
                c = c * 3 + block.words.first().copied().unwrap_or(0) + block.words.len() as u32;
            }
            for row in &rows {
                c = c * 3 + *row.last().unwrap() + row.contains(&2) as u32;
            }
            for pair in x[..6].chunks(4) {
                c = c * 3 + pair.last().copied().unwrap_or(0) + pair.len() as u32;
            }
            let found = blocks.get(i % 5).map_or(7, |block| block.words[1] + block.mark);
            out[i] = a + b * 5 + c * 7 + found * 11;
        }

        fn search(x: &[u32], out: &mut [u32]) {
            let i = global_id();
            let mut v = [x[i], 3, 9, x[(i + 7) % x.len()], 1, 3, 20];
            let before = v.is_sorted();
            v.sort_unstable();
            let mut all = 0;
            for w in v {
                all = all * 5 + w;
            }
            let mut found = 0;
            for wanted in 0..24 {
                let place = match v.binary_search(&wanted) {
                    Ok(at) => at as u32,
                    Err(at) => at as u32 + 100,
                };
                found = (found * 3 + place) % 100_003;
            }
            let none = v[..0].binary_search(&3).is_err() as u32 + v[..1].binary_search(&v[0]).is_ok() as u32;
            let mut parted = v.partition_point(|&w| w < x[i]) + v[2..].partition_point(|w| *w < 10);
            v[3] = 0;
            parted += v.partition_point(|&w| w % 3 != 0) * 7 + v[..i % 3].partition_point(|_| true);
            let with = v.starts_with(&[v[0], v[1]]) as u32 + v.ends_with(&v[3..]) as u32 * 2
                + v.starts_with(&x[..2]) as u32 * 4 + v[..1].ends_with(&x[..2]) as u32 * 8 + v.ends_with(&x[..0]) as u32 * 16;
            out[i] = all % 10007 + found % 10009 + none + parted as u32 * 3 + with * 5 + (before != v.is_sorted()) as u32;
        }

        fn moves(x: &[u32], out: &mut [u32]) {
            let i = global_id();
            let mut v = [x[i], 1, 2, 3, 4, 5];
            v.rotate_left(i % 7);
            v[1..4].rotate_right(1);
            v.copy_within(0..3, 2);
            v.copy_within(2.., 1);
            v.copy_within(..=1, i % 5);
            v[2..].reverse();
            let mut sum = 0;
            for w in v {
                sum = sum * 7 + w;
            }
            let mut w = [(x[i], 2), (3, 4), (5, 6)];
            w.reverse();
            w.rotate_right(1);
            match i % 3 {
                1 => w.reverse(),
                _ => w.swap(0, 2),
            }
            let &(a, b) = w.last().unwrap();
            out[i] = sum + a * 3 + b + x[i].rotate_left(3);
        }
}

same!(elements parts search moves);

#[kernel]
fn panics(v: &mut [u32], by: usize) {
    if by > 100 {
        v.copy_within(1..3, by - 100);
    } else {
        v.rotate_left(by);
    }
}

/// Panics are those of std.
#[test]
fn moves_beyond_the_end_panic() {
    let mut v = [1, 2, 3];
    let gpu = Gpu::<Ipdom>::default();
    gpu.launch(Grid::new(1, 1), panics(&mut v, 3)).unwrap();
    gpu.launch(Grid::new(1, 1), panics(&mut v, 101)).unwrap();
    assert_eq!(v, [1, 2, 3]);
    for (by, text) in [(4, "assertion failed: mid <= self.len()"), (102, "dest is out of bounds")] {
        let error = gpu.launch(Grid::new(1, 1), panics(&mut v, by)).unwrap_err().to_string();
        assert!(error.starts_with(&format!("error[simt::panic]: {text}")), "{error}");
    }
}
