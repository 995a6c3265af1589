//! Subslices, chunks, and references that have a name: the text is compiled as plain Rust, too.

use simt::prelude::*;
kernels_with_devices! {
    devices:

    fn sum_of(x: &[u32]) -> u32 {
        let mut sum = 0;
        for v in x {
            sum = sum * 3 + v;
        }
        sum
    }

    fn reverse(x: &mut [u32]) {
        let n = x.len();
        for i in 0..n / 2 {
            x.swap(i, n - 1 - i);
        }
    }

    fn merge_sort(x: &mut [u32], scratch: &mut [u32]) {
        if x.len() < 2 {
            return;
        }
        let middle = x.len() / 2;
        merge_sort(&mut x[..middle], &mut scratch[..middle]);
        merge_sort(&mut x[middle..], &mut scratch[middle..]);
        merge(&x[..middle], &x[middle..], scratch);
        x.copy_from_slice(&scratch[..]);
    }

    fn merge(a: &[u32], b: &[u32], to: &mut [u32]) {
        let mut i = 0;
        let mut j = 0;
        for k in 0..to.len() {
            if j == b.len() || i < a.len() && a[i] <= b[j] {
                to[k] = a[i];
                i += 1;
            } else {
                to[k] = b[j];
                j += 1;
            }
        }
    }

    fn largest(x: &[u32]) -> u32 {
        let (first, rest) = x.split_at(1);
        if rest.is_empty() {
            return first[0];
        }
        first[0].max(largest(rest))
    }

    fn bump(a: &mut u32) -> u32 {
        *a += 1;
        *a
    }

    fn double(a: &u32) -> u32 {
        *a * 2
    }

    kernels:

    fn parts(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let from = i % 7;
        let rest = &x[from..];
        let some = &rest[2..5 + from];
        let few = &some[..=1];
        let all = &few[..];
        let mut sum = rest[0] + some[from] * 3 + few[1] * 5 + all.len() as u32 * 7;
        sum += sum_of(some) + sum_of(&x[from..from + 4]) + x[from..][1] * 11 + some.len() as u32;
        for (k, v) in some.iter().enumerate() {
            sum += *v * k as u32;
        }
        for v in some {
            sum += v;
        }
        for v in &x[..from] {
            sum += *v;
        }
        for v in rest[3..6].iter().rev() {
            sum = sum * 2 + *v;
        }
        if some.contains(&7) || x[..from].contains(&9) {
            sum += 1000;
        }
        out[i] = sum + few.is_empty() as u32 + x[5..5].is_empty() as u32;
    }

    fn written(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut a = [0; 12];
        a[..4].fill(x[i]);
        a[4..8].copy_from_slice(&x[i % 5..i % 5 + 4]);
        {
            let tail = &mut a[8..];
            tail[0] = 5;
            tail[1] += x[i];
            tail.swap(2, 3);
            tail[3] = tail[0] * 2;
            bump(&mut tail[2]);
        }
        reverse(&mut a[2..11]);
        let (left, right) = a.split_at_mut(6);
        left[0] = right[5];
        right[0] += left[1];
        for v in &mut left[1..3] {
            *v += 1;
        }
        a[9..].swap(0, 2);
        let mut sum = 0;
        for v in a {
            sum = (31 * sum + v) % 1000003;
        }
        out[i] = sum;
    }

    fn recursive(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut a = [0; 16];
        let mut scratch = [0; 16];
        for k in 0..16 {
            a[k] = x[(i * 3 + k * 5) % x.len()];
        }
        merge_sort(&mut a, &mut scratch);
        let mut sum = 0;
        for k in 1..16 {
            assert!(a[k - 1] <= a[k]);
            sum = (31 * sum + a[k]) % 1000003;
        }
        out[i] = sum + largest(&a[..1 + i % 9]) * 1000003;
    }

    fn pieces(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let n = 1 + i % 4;
        let mut sum = 0;
        for piece in x[..10 + n].chunks(n) {
            sum = sum * 3 + piece[0] + piece.len() as u32 + sum_of(piece) % 100;
        }
        for (k, piece) in x[..11].chunks_exact(n).enumerate() {
            sum = sum % 100000 + piece[n - 1] * k as u32;
        }
        for pair in x[i % 3..12].windows(2) {
            if pair[0] < pair[1] {
                sum += pair[1] - pair[0];
            }
        }
        let mut a = [1; 10];
        for piece in a.chunks_mut(n + 1) {
            piece[0] = n as u32;
            for v in piece {
                *v += 2;
            }
        }
        for (piece, v) in a.chunks_exact_mut(2).zip(x) {
            piece[1] += *v;
        }
        for none in x[..2].windows(3) {
            sum += none[0];
        }
        for v in a {
            sum = (31 * sum + v) % 1000003;
        }
        out[i] = sum;
    }

    fn rows(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut grid = [[0; 4]; 3];
        for (y, row) in grid.iter_mut().enumerate() {
            row[0] = y as u32;
            row[1..].copy_from_slice(&x[y..y + 3]);
            row.swap(0, 3);
        }
        grid[1].fill(x[i]);
        grid[2][1..3].fill(7);
        let mut sum = sum_of(&grid[i % 3][1..]) + grid[0].len() as u32;
        for row in &grid {
            for v in row.iter() {
                sum = (31 * sum + *v) % 1000003;
            }
            sum += row[i % 4];
        }
        for v in &grid[2] {
            sum += *v;
        }
        out[i] = sum;
    }

    fn kept(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut a = [1, 2, 3, 4, 5, 6];
        let mut k = i % 3;
        let e = &mut a[k];
        k += 1;
        *e += 10;
        let part = &mut a[k..k + 2];
        k = 5;
        part[0] *= 7;
        let last = &a[k];
        let mut n = *last;
        let r = &mut n;
        for j in 0..3 {
            let e = &mut a[j];
            *e += *r + j as u32;
            if *e > 20 && { *r += 1; *r } % 2 == 0 {
                continue;
            }
            let window = &a[j..j + 2];
            *r += window.iter().sum::<u32>() % 5;
        }
        let add = |v: u32| v + n;
        let both = a.iter().map(|v| add(*v)).sum::<u32>() * 3 + a[..k].iter().fold(0, |s, v| s * 2 + v);
        let total = a.iter().sum::<u32>();
        out[i] = both + total % 1000 + n + x[i];
    }

    fn named(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut count = x[i];
        let c = &mut count;
        *c += 5;
        *c = *c * 2 + bump(c) + double(c);
        let seen = &x[i];
        let e = &mut out[i];
        *e = *seen + double(seen);
        *e += bump(e) + *seen;
        let total = &(*e + count);
        let mut pair = (1, 2);
        {
            let second = &mut pair.1;
            *second += *total;
        }
        let mut a = [[1; 3]; 2];
        let inner = &mut a[i % 2][2];
        *inner += 9;
        let inner: &u32 = &a[0][2];
        let table: &[u32] = &[2, 3, 5];
        let all = &a;
        out[i] = pair.0 + pair.1 + *inner + table[i % 3] + all[1][2] + table.len() as u32;
    }
}

same! { parts written recursive pieces rows kept named }

mod structs {
    use simt::prelude::*;
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

    #[derive(Clone, Copy, Debug, Default, KernelData, PartialEq)]
    struct Particle {
        at: [f32; 2],
        hits: u32,
    }

    #[device]
    impl Particle {
        fn hit(&mut self, by: u32) -> u32 {
            self.hits += by;
            self.hits
        }

        fn sum(&self) -> f32 {
            self.at[0] + self.at[1]
        }
    }

    alike! {
        fn of_structs(p: &mut [Particle], out: &mut [f32]) {
            let i = global_id();
            let (mine, _) = p.split_at_mut(8);
            let body = &mut mine[i];
            body.hits += 2;
            body.at[1] += 0.5;
            let hits = body.hit(3);
            let first = &mine[0..1][0];
            out[i] = hits as f32 + first.at[0] * 0.0 + mine[i].sum();
            let body = &mut mine[i];
            body.at.swap(0, 1);
            let at = &mut mine[i].at;
            at[0] *= 2.0;
            let mut copy = mine[i];
            copy.at.swap(0, 1);
            for v in &copy.at {
                out[i] += *v * copy.at.len() as f32;
            }
            copy.at.fill(out[i]);
            mine[i].at.copy_from_slice(&copy.at);
            for body in mine[i..i + 1].iter_mut() {
                out[i] += body.hit(1) as f32;
            }
        }

        fn of_atomics(counts: &[AtomicU32], x: &[u32]) {
            let i = global_id();
            let mine = &counts[i % 4];
            mine.fetch_add(x[i], Relaxed);
            let last = &counts[4..];
            last[i % 2].fetch_max(x[i], Relaxed);
            let all: &AtomicU32 = &last[2];
            all.fetch_add(1, Relaxed);
        }
    }

    #[test]
    fn subslices_of_structs_and_of_atomics() {
        let bodies = || (0..8_u8).map(|i| Particle { at: [f32::from(i), 2.5], hits: 1 }).collect::<Vec<_>>();
        let grid = Grid::new(1, 8);
        let (mut expected, mut sums) = (bodies(), vec![0.0; 8]);
        crate::support::host::run(grid, || plain::of_structs(&mut expected, &mut sums));
        let x: Vec<u32> = (0..8).map(|i| i * 5 % 7).collect();
        let counted: [AtomicU32; 7] = Default::default();
        crate::support::host::run(grid, || plain::of_atomics(&counted, &x));
        let counted = counted.map(AtomicU32::into_inner);
        everywhere!(|gpu| {
            let (mut p, mut out) = (bodies(), vec![0.0; 8]);
            let launched = gpu.launch(grid, of_structs(&mut p, &mut out));
            assert!(launched.is_ok(), "{launched:?}");
            assert_eq!((&p, &out), (&expected, &sums));
            let counts: [AtomicU32; 7] = Default::default();
            let launched = gpu.launch(grid, of_atomics(&counts, &x));
            assert!(launched.is_ok(), "{launched:?}");
            assert_eq!(counts.map(AtomicU32::into_inner), counted);
        });
    }
}

#[kernel]
fn outside(x: &[u32], from: usize, to: usize, index: usize, out: &mut [u32]) {
    let part = &x[from..to];
    out[0] = part[index];
}

#[kernel]
fn zero_pieces(x: &[u32], size: usize, out: &mut [u32]) {
    for piece in x.chunks(size) {
        out[0] = piece[0];
    }
}

#[test]
fn what_lies_outside_of_a_subslice_is_an_error() {
    let x = [1, 2, 3, 4, 5];
    let gpu = Gpu::<Ipdom>::default();
    let run = |from, to, index| {
        let mut out = [7];
        let error = gpu.launch(Grid::new(1, 1), outside(&x, from, to, index, &mut out)).err();
        assert!(error.is_none() || out == [7]);
        error.map(|error| error.to_string().lines().next().unwrap_or_default().to_owned())
    };
    assert_eq!(run(1, 4, 2), None);
    let cases = [
        ((1, 4, 3), "index 3 is out of bounds of `x[1..]`, whose length is 3"),
        ((3, 2, 0), "slice index starts at 3 but ends at 2"),
        ((2, 6, 0), "range end index 6 out of range for slice of length 5"),
    ];
    for ((from, to, index), message) in cases {
        let error = run(from, to, index);
        assert!(error.as_ref().is_some_and(|error| error.contains(message)), "{error:?}");
    }
    let error = gpu.launch(Grid::new(1, 1), zero_pieces(&x, 0, &mut [0])).unwrap_err();
    assert!(error.to_string().contains("chunk size must be non-zero"), "{error}");
}
