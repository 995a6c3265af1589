//! Lengths of arrays that rustc infers from what is passed: the text is compiled as plain Rust, too.

items_with_kernels! {
    {
        fn dot<const D: usize>(a: &[u32; D], b: &[u32; D]) -> u32 {
            let mut sum = 0;
            for i in 0..D {
                sum += a[i] * b[i];
            }
            sum
        }

        fn scale<T: Copy + std::ops::MulAssign, const D: usize>(a: &mut [T; D], by: T) {
            for v in a.iter_mut() {
                *v *= by;
            }
        }

        fn product<const M: usize, const K: usize, const N: usize>(
            a: &[[u32; K]; M],
            b: &[[u32; N]; K],
        ) -> [[u32; N]; M] {
            let mut c = [[0; N]; M];
            for i in 0..M {
                for j in 0..N {
                    for k in 0..K {
                        c[i][j] += a[i][k] * b[k][j];
                    }
                }
            }
            c
        }

        fn length<const N: usize>(_a: [u32; N]) -> u32 {
            N as u32
        }
    }

    fn vectors(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let q = [x[i], 2, 3];
        let mut m = [1, x[i] % 4, 5];
        let rows = [[x[i], 1, 2], [3, 4, 5]];
        let r = &rows[1];
        out[i] = dot(&q, &rows[0]) + dot(r, &m) + dot(&[1, 2], &[3, x[i]]);
        scale(&mut m, 3);
        for row in &rows {
            out[i] += dot(row, &m);
        }
        let mut table = [[1, 2], [3, x[i]]];
        scale(&mut table[1], 2);
        for row in table.iter_mut() {
            scale(row, 2);
        }
        out[i] += dot(&table[0], &table[1]) + length(q) + length([1, 2]);
    }

    fn matrices(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let a = [[x[i], 2], [3, 4], [5, 6]];
        let b = [[1, x[i] % 5, 3, 4], [5, 6, 7, 8]];
        let c = product(&a, &b);
        out[i] = c[1][2] * 100 + c[2][1] + dot(&c[0], &b[1]);
    }
}

same! { vectors matrices }

/// Memory of the launch's and of the block's.
#[test]
fn of_memory() {
    use simt::prelude::*;
    #[device]
    fn dot<const D: usize>(a: &[f32; D], b: &[f32; D]) -> f32 {
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }
    #[device]
    fn doubled<const D: usize>(a: &mut [f32; D]) {
        a.iter_mut().for_each(|v| *v *= 2.0);
    }
    #[kernel]
    fn memory(x: &[[f32; 3]], weights: &[f32; 3], y: &mut [[f32; 3]], out: &mut [f32]) {
        #[shared]
        let mut row: [f32; 3];
        #[shared]
        let mut rows: [[f32; 3]; 2];
        let i = global_id();
        let q = x[i];
        if i == 0 {
            row[0] = 1.0;
            row[1] = 2.0;
            row[2] = 3.0;
            rows[1] = q;
        }
        sync_threads();
        out[i] = dot(&q, &x[0]) + dot(&row, weights) + dot(&rows[1], &x[i]);
        doubled(&mut y[i]);
        for each in x {
            out[i] += dot(each, &y[i]);
        }
    }
    everywhere!(|gpu| {
        let (mut out, mut y) = ([0.0; 2], [[1.0, 1.0, 1.0], [0.0, 1.0, 0.5]]);
        let x = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
        let launched = gpu.launch(Grid::new(1, 2), memory(&x, &[1.0, 10.0, 100.0], &mut y, &mut out));
        assert!(launched.is_ok(), "{launched:?}");
        assert_eq!(y, [[2.0, 2.0, 2.0], [0.0, 2.0, 1.0]]);
        assert_eq!(out, [14.0 + 321.0 + 14.0 + 42.0, 32.0 + 321.0 + 32.0 + 7.0 + 16.0]);
    });
}
