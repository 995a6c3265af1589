//! Arrays as values: the text is compiled as plain Rust, too.

const START: [u32; 3] = [7, 8, 9];

#[derive(Clone, Copy, Debug, simt::prelude::KernelData, PartialEq)]
struct State {
    words: [u32; 4],
    turns: u32,
}

#[derive(Clone, Copy, Debug, simt::prelude::KernelData, PartialEq)]
struct Words([u32; 2]);

kernels_with_devices! {
    devices:

    fn sum(a: [u32; 3]) -> u32 {
        a[0] + a[1] * 3 + a[2] * 5
    }

    fn rotated(mut a: [u32; 3], by: usize) -> [u32; 3] {
        let b = a;
        for k in 0..3 {
            a[(k + by) % 3] = b[k];
        }
        a
    }

    fn three(n: u32) -> [u32; 3] {
        [n, n + 1, n * 2]
    }

    fn compress(state: &mut [u32; 4], block: &[u32; 4]) {
        let [mut a, b, c, mut d] = *state;
        for k in 0..4 {
            a = a * 31 + block[k] % 1000 + b;
            d ^= a + c;
        }
        state[0] += a;
        state[3] = d;
        state.swap(1, 2);
    }

    fn reset(state: &mut [u32; 4]) -> u32 {
        let before = *state;
        *state = [1, 2, 3, before[0]];
        before.iter().copied().max().unwrap_or(0)
    }

    kernels:

    fn copies(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let a = [x[i], 2, 3];
        let mut b = a;
        b[0] += 5;
        b[i % 3] *= 2;
        let mut c = super::START;
        c[1] += a[1];
        let same = b == a || b == [x[i] + 5, 2, 3];
        let before = c;
        c = b;
        c[2] = 1;
        (b, c) = (c, b);
        std::mem::swap(&mut b, &mut c);
        out[i] = sum(a) + sum(b) * 7 + sum(c) * 11 + same as u32 + sum(before) * 13;
    }

    fn made(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let by = x[i] % 7;
        let squares: [u32; 5] = std::array::from_fn(|k| (k * k) as u32 + by);
        let mut doubled = squares.map(|v| v * 2);
        doubled[i % 5] += 1;
        let near = [-1, 0, 1].map(|d| (i as i32 + d).unsigned_abs());
        let sum: u32 = near.iter().sum();
        let pairs = [3, 4].map(|v| (v, v as f32 * 0.5));
        let tested = doubled.map(|v| v % 2 == 1);
        let rows: [[u32; 2]; 3] = std::array::from_fn(|r| [r as u32 * by, squares[r]]);
        let mut odd = 0;
        for is_odd in tested {
            odd += is_odd as u32;
        }
        out[i] = squares[i % 5] + doubled[4] * 3 + sum * 5 + pairs[i % 2].0 * 7 + (pairs[0].1 * 2.0) as u32 + odd * 11
            + rows[i % 3][1] * 13 + rows[2][0];
    }

    fn functions(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let a = three(x[i]);
        let b = rotated(a, i % 3);
        let mut rows = [[0; 3]; 4];
        rows[i % 4] = b;
        rows[(i + 1) % 4] = rotated(rows[i % 4], 1);
        let row = rows[i % 4];
        let mut total = 0;
        for v in row {
            total = total * 3 + v;
        }
        let c = rotated(b, 2);
        for &v in &c {
            total += v;
        }
        let mut state = [1, 2, 3, 4];
        compress(&mut state, &[x[i], 5, 6, 7]);
        let most = reset(&mut state);
        compress(&mut state, &[x[i], 5, 6, 7]);
        out[i] = total % 10007 + sum(row) + state[0] % 1009 + state[1] + state[3] % 997 + most % 991;
    }

    fn of_structs(x: &[u32], out: &mut [u32]) {
        use super::{State, Words};
        let i = global_id();
        let mut words = [x[i], 1, 2, 3];
        let state = State { words, turns: 2 };
        words[3] = 9;
        let mut next = State { words, ..state };
        let old = next.words;
        next.words = state.words;
        next.words[i % 4] += 1;
        let mine = next.words;
        let mut best = None;
        if mine[i % 4] > 2 {
            best = Some(mine);
        }
        let found = match best {
            Some(found) => found[i % 4] + found.len() as u32,
            None => 3,
        };
        let pair = (state.words, Words([x[i], 4]));
        let mut other = pair.1;
        other.0.swap(0, 1);
        let inner = other.0.iter().sum::<u32>() + pair.1.0.len() as u32 + other.0[i % 2];
        let [first, .., last] = old;
        out[i] = inner + old[3] + mine[0] + mine.iter().sum::<u32>() + first * 3 + last * 5 + found * 7
            + (next == state) as u32 + state.words.contains(&2) as u32;
    }
}

same! { copies functions made of_structs }

/// Where only the launch knows a length, it is the launch that refuses another.
#[test]
fn an_array_is_passed_with_its_length() {
    use simt::prelude::*;
    #[device]
    fn weighed(a: &[u32; 3]) -> u32 {
        let [x, y, z] = *a;
        x + y * 10 + z * 100
    }
    #[device]
    fn passed_on(a: &mut [u32; 3]) -> u32 {
        a[0] += 1;
        weighed(a)
    }
    #[kernel]
    fn right(out: &mut [u32]) {
        let mut a = [1, 2, 3, 4, 5];
        out[0] = weighed(&START) + weighed(&a[2..5]);
        out[1] = passed_on(&mut a[1..4]) + a[1];
    }
    #[kernel]
    fn shorter(out: &mut [u32]) {
        let a = [1, 2, 3];
        out[0] = weighed(&a[1..3]);
    }
    #[kernel]
    fn slice(x: &[u32], out: &mut [u32]) {
        out[0] = weighed(x);
    }
    let (gpu, mut out) = (Gpu::<Ipdom>::default(), [0; 2]);
    let launched = gpu.launch(Grid::new(1, 1), right(&mut out));
    assert!(launched.is_ok(), "{launched:?}");
    assert_eq!(out, [987 + 543, 433 + 3]);
    let error = gpu.launch(Grid::new(1, 1), shorter(&mut [0])).unwrap_err().to_string();
    assert!(error.contains("expected an array of 3 elements, found one of 2: pass an array of that length"), "{error}");
    let error = gpu.launch(Grid::new(1, 1), slice(&[1, 2, 3], &mut [0])).unwrap_err().to_string();
    assert!(error.contains("expected an array of 3 elements, found a slice: "), "{error}");
}
