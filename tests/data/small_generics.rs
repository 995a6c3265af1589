//! Small programs as users write them: statistics, polynomials and sorting, by traits and operators.

/// Statistics of rows by warps; atomics in loops; traits and a generic host function.
mod rows {
    use simt::prelude::*;
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

    #[device]
    trait Metric: Copy {
        const ZERO: u32;
        fn of(self, row: &[u32]) -> u32;
    }
    #[derive(Clone, Copy, KernelData)]
    struct Spread;
    #[device]
    impl Metric for Spread {
        const ZERO: u32 = 7;
        fn of(self, row: &[u32]) -> u32 {
            row.iter().max().unwrap() - *row.iter().min().unwrap() + Self::ZERO
        }
    }

    #[kernel]
    fn measure<M: Metric>(rows: &[[u32; 4]], metric: M, counts: &[AtomicU32], best: &mut [u32]) {
        let i = global_id();
        if i < rows.len() {
            let row = &rows[i];
            counts[(row[0].min(row[1]) % 4) as usize].fetch_add(1, Relaxed);
            best[i] = metric.of(&row[..]) + row[2].leading_zeros();
        }
        sync_threads();
        if i == 0 {
            for (k, c) in counts.iter().enumerate() {
                best[rows.len() + k] = c.load(Relaxed);
            }
            let (at, most) = counts.iter().map(|c| c.load(Relaxed)).enumerate().max_by_key(|&(_, n)| n).unwrap();
            best[rows.len() + 4] = at as u32 * 10 + most;
        }
    }

    fn measured<M: Metric + simt::host::HostData>(metric: M) -> Vec<u32> {
        let rows = [[1, 2, 3, 4], [5, 5, 5, 5], [9, 1, 1, 1]];
        let counts: Vec<AtomicU32> = (0..4).map(AtomicU32::new).collect();
        let mut best = vec![0; 8];
        Gpu::<Ipdom>::default().launch(Grid::new(1_u32, 8), measure(&rows, metric, &counts, &mut best)).unwrap();
        best
    }

    #[test]
    fn run() {
        assert_eq!(measured(Spread), [3 + 7 + 30, 7 + 29, 8 + 7 + 31, 0, 4, 2, 3, 14]);
    }
}
/// Polynomials with generic coefficients, operators, references in closures, host and kernel.
mod polynomials {
    use simt::prelude::*;
    use std::ops::{Add, Mul};

    #[derive(Clone, Copy, Debug, KernelData, PartialEq)]
    struct Poly<T, const N: usize> {
        c: [T; N],
    }

    #[device]
    impl<T: Copy + Default + Add<Output = T> + Mul<Output = T>, const N: usize> Poly<T, N> {
        fn at(&self, x: T) -> T {
            self.c.iter().rev().fold(T::default(), |sum, &c| sum * x + c)
        }
        fn shifted(&self) -> Self {
            let mut c = [T::default(); N];
            for i in 1..N {
                c[i] = self.c[i - 1];
            }
            Self { c }
        }
        fn dot(&self, other: &Self) -> T {
            self.c.iter().zip(other.c.iter()).map(|(a, b)| *a * *b).fold(T::default(), |a, b| a + b)
        }
    }
    #[device]
    impl<T: Copy + Add<Output = T>, const N: usize> Add for Poly<T, N> {
        type Output = Self;
        fn add(self, other: Self) -> Self {
            let mut c = self.c;
            for (a, &b) in c.iter_mut().zip(&other.c) {
                *a = *a + b;
            }
            Self { c }
        }
    }

    #[kernel]
    fn values(x: &[f32], n: &[i32], out: &mut [f32], whole: &mut [i32]) {
        let i = global_id();
        let p = Poly { c: [1.0, x[i], 2.0] };
        let q = p + p.shifted();
        out[i] = q.at(x[i]) + p.dot(&q);
        let w = Poly { c: [n[i], 3] };
        whole[i] = (w + w).at(n[i]) + w.shifted().dot(&w);
        let largest = q.c.iter().copied().fold(f32::MIN, f32::max);
        let best = x.iter().min_by(|a, b| (**a - largest).abs().total_cmp(&(*b - largest).abs())).unwrap();
        out[i] += *best;
    }

    #[test]
    fn run() {
        let (mut out, mut whole) = ([0.0; 2], [0; 2]);
        Gpu::<Hanoi>::default()
            .launch(Grid::new(1, 2_u32), values(&[2.0, 3.0], &[5, -1], &mut out, &mut whole))
            .unwrap();
        // p = 1 2 2, q = 1 3 4: 1 + 6 + 16 + (1 + 6 + 8) + 3; p = 1 3 2, q = 1 4 5: 1 + 12 + 45 + (1 + 12 + 10) + 3
        assert_eq!(out, [23.0 + 15.0 + 3.0, 58.0 + 23.0 + 3.0]);
        // 10 + 30 + 15; -2 - 6 + -3
        assert_eq!(whole, [10 + 30 + 15, -2 - 6 - 3]);
    }
}
/// Imports in a function's body, of operators.
#[test]
fn inner() {
    use simt::prelude::*;
    use std::ops::Add;
    #[derive(Clone, Copy, KernelData)]
    struct W<T>(T);
    #[device]
    impl<T: Float> Add for W<T> {
        type Output = Self;
        fn add(self, o: Self) -> Self {
            W(self.0 + o.0)
        }
    }
    #[kernel]
    fn f(x: &mut [f32]) {
        x[0] = (W(x[0]) + W(1.0)).0;
    }
    let mut x = [1.0];
    Gpu::<Ipdom>::default().launch(Grid::new(1, 1), f(&mut x)).unwrap();
    assert_eq!(x, [2.0]);
}

mod sorting {
    use simt::prelude::*;
    #[kernel]
    fn sort<T: Copy + PartialOrd>(x: &mut [T]) {
        for i in 1..x.len() {
            let v = x[i];
            let mut k = i;
            while k > 0 && x[k - 1] > v {
                x[k] = x[k - 1];
                k -= 1;
            }
            x[k] = v;
        }
    }
    #[derive(Clone, Copy, Debug, KernelData, PartialEq, PartialOrd)]
    struct K(u32, f32);
    fn sorted<T: Copy + PartialOrd + KernelData + simt::host::HostData>(mut x: Vec<T>) -> Vec<T> {
        Gpu::<Ipdom>::default().launch(Grid::new(1, 1), sort(&mut x)).unwrap();
        x
    }
    #[test]
    fn run() {
        assert_eq!(sorted(vec![3, 1, 2]), [1, 2, 3]);
        assert_eq!(sorted(vec![K(3, 1.0), K(1, 2.0), K(1, 0.5)]), [K(1, 0.5), K(1, 2.0), K(3, 1.0)]);
    }
}
