//! Linear algebra: factors, sparse matrices, a transform.

use simt::prelude::*;

/// The order of the small matrices, of which each thread has one.
const N: usize = 4;

/// The cosines of half a turn, in sixteenths of it.
const COSINES: [f32; 17] = [
    1.0,
    0.980_785_3,
    0.923_879_5,
    0.831_469_6,
    0.707_106_77,
    0.555_570_25,
    0.382_683_43,
    0.195_090_32,
    0.0,
    -0.195_090_32,
    -0.382_683_43,
    -0.555_570_25,
    -0.707_106_77,
    -0.831_469_6,
    -0.923_879_5,
    -0.980_785_3,
    -1.0,
];

/// A small matrix, row by row.
#[derive(Clone, Copy, Debug, Default, KernelData, PartialEq)]
pub(crate) struct Matrix {
    cells: [f32; N * N],
}

#[device]
impl Matrix {
    fn at(&self, row: usize, column: usize) -> f32 {
        self.cells[N * row + column]
    }

    fn set(&mut self, row: usize, column: usize, value: f32) {
        self.cells[N * row + column] = value;
    }

    /// The lower factor of a matrix that is symmetric and positive definite (Cholesky).
    fn factor(&self) -> Option<Matrix> {
        let mut lower = Matrix::default();
        for i in 0..N {
            for j in 0..=i {
                let known: f32 = (0..j).map(|k| lower.at(i, k) * lower.at(j, k)).sum();
                let rest = self.at(i, j) - known;
                if i != j {
                    lower.set(i, j, rest / lower.at(j, j));
                } else if rest > 0.0 {
                    lower.set(i, i, rest.sqrt());
                } else {
                    return None;
                }
            }
        }
        Some(lower)
    }

    fn swap_rows(&mut self, a: usize, b: usize) {
        for k in 0..N {
            self.cells.swap(N * a + k, N * b + k);
        }
    }

    /// The `x` of `self * x = right`, by elimination with the largest pivot of each column; or the column that has none.
    fn solve(mut self, mut right: [f32; N]) -> Result<[f32; N], u32> {
        for k in 0..N {
            let mut pivot = k;
            for i in k + 1..N {
                if self.at(i, k).abs() > self.at(pivot, k).abs() {
                    pivot = i;
                }
            }
            if self.at(pivot, k) == 0.0 {
                return Err(k as u32);
            }
            self.swap_rows(k, pivot);
            right.swap(k, pivot);
            for i in k + 1..N {
                let factor = self.at(i, k) / self.at(k, k);
                for j in k..N {
                    self.set(i, j, self.at(i, j) - factor * self.at(k, j));
                }
                right[i] -= factor * right[k];
            }
        }
        let mut x = [0.0; N];
        for i in (0..N).rev() {
            let known: f32 = (i + 1..N).map(|j| self.at(i, j) * x[j]).sum();
            x[i] = (right[i] - known) / self.at(i, i);
        }
        Ok(x)
    }
}

kernels! {
    // A row of a sparse matrix, which is given by compressed rows, times a vector.
    #[device]
    fn times(offsets: &[u32], columns: &[u32], values: &[f32], row: usize, x: &[f32]) -> f32 {
        let (from, to) = (offsets[row] as usize, offsets[row + 1] as usize);
        let columns = &columns[from..to];
        let values = &values[from..to];
        columns.iter().zip(values).map(|(&column, value)| value * x[column as usize]).sum()
    }

    // Cholesky's factors, a matrix for each thread.
    fn cholesky(all: &mut [Matrix], definite: &mut [bool]) {
        let i = global_id();
        let factor = all[i].factor();
        definite[i] = factor.is_some();
        all[i] = factor.unwrap_or_default();
    }

    // Gauss' elimination with pivots, a system for each thread.
    fn eliminate(all: &[Matrix], right: &[[f32; N]], out: &mut [[f32; N]], singular: &mut [u32]) {
        let i = global_id();
        match all[i].solve(right[i]) {
            Ok(x) => out[i] = x,
            Err(column) => singular[i] = column,
        }
    }

    // A sparse matrix times a vector, a row for each thread.
    fn spmv(offsets: &[u32], columns: &[u32], values: &[f32], x: &[f32], out: &mut [f32]) {
        let i = global_id();
        out[i] = times(offsets, columns, values, i, x);
    }

    // A sparse lower triangle with ones on the diagonal: a right side for each thread, eight numbers long.
    fn forward(offsets: &[u32], columns: &[u32], values: &[f32], x: &mut [f32]) {
        let x = &mut x[8 * global_id()..][..8];
        for row in 0..8 {
            let known = times(offsets, columns, values, row, x);
            x[row] -= known;
        }
    }

    // A step of Jacobi's, a row for each thread.
    fn jacobi(matrix: &[f32], right: &[f32], x: &[f32], out: &mut [f32]) {
        let i = global_id();
        let row = &matrix[i * x.len()..][..x.len()];
        let others: f32 = row.iter().zip(x).enumerate().filter(|&(j, _)| j != i).map(|(_, (a, x))| a * x).sum();
        out[i] = (right[i] - others) / row[i];
    }

    // The cosine transform of eight numbers, as JPEG has it.
    fn dct(x: &[[f32; 8]], out: &mut [[f32; 8]]) {
        let i = global_id();
        for (n, result) in out[i].iter_mut().enumerate() {
            let scale = if n == 0 { 0.125f32.sqrt() } else { 0.5 };
            let wave = |k: usize| {
                let turned = (2 * k + 1) * n % 32;
                COSINES[turned.min(32 - turned)]
            };
            *result = scale * x[i].iter().enumerate().map(|(k, value)| value * wave(k)).sum::<f32>();
        }
    }
}

fn matrices(count: usize) -> Vec<Matrix> {
    let matrix =
        |i: usize| Matrix { cells: std::array::from_fn(|k| ((i * 5 + k * (k + 3) * (k + i) * 7) % 13) as f32 - 3.0) };
    (0..count).map(matrix).collect()
}

#[test]
fn definite_matrices_have_factors() {
    // A matrix times itself turned around is definite, if it is not singular; made negative, it is not.
    let turned = |m: Matrix, sign: f32| {
        let cell = |k: usize| (0..N).map(|j| m.at(k / N, j) * m.at(k % N, j)).sum::<f32>() * sign;
        Matrix { cells: std::array::from_fn(cell) }
    };
    let signs = [1.0, 1.0, -1.0].into_iter().cycle();
    let start: Vec<Matrix> = matrices(12).into_iter().zip(signs).map(|(m, sign)| turned(m, sign)).collect();
    let (mut all, mut definite) = (start.clone(), vec![false; 12]);
    agree!(Grid::new(1, 12), cholesky(; all, definite));
    assert!((4..=8).contains(&definite.iter().filter(|is| **is).count()));
    for ((start, lower), _) in start.iter().zip(&all).zip(definite).filter(|(_, definite)| *definite) {
        let product = turned(*lower, 1.0);
        assert!(product.cells.iter().zip(start.cells).all(|(a, b)| (a - b).abs() < 0.01), "{product:?} {start:?}");
    }
}

#[test]
fn systems_are_solved() {
    let mut all = matrices(12);
    all[5].cells = [1.0; 16];
    let right: Vec<[f32; N]> = (0..12).map(|i| [i as f32, 1.0, -2.0, 3.0]).collect();
    let (mut x, mut singular) = (vec![[0.0; N]; 12], vec![9; 12]);
    agree!(Grid::new(1, 12), eliminate(&all, &right; x, singular));
    assert_eq!(singular[5], 1);
    for i in (0..12).filter(|i| singular[*i] == 9) {
        let left = |row: usize| (0..N).map(|k| all[i].at(row, k) * x[i][k]).sum::<f32>();
        assert!((0..N).all(|row| (left(row) - right[i][row]).abs() < 0.01), "{i} {:?}", x[i]);
    }
}

#[test]
fn sparse_matrices_are_multiplied_and_solved() {
    // The strict lower triangle of an 8 by 8 matrix: row i has the columns below it that are not a multiple of 3 away.
    let cells: Vec<(u32, u32)> =
        (0..8).flat_map(|i| (0..i).map(move |k| (i, k))).filter(|(i, k)| (i - k) % 3 != 0).collect();
    let offsets: Vec<u32> = (0..=8).map(|row| cells.iter().filter(|(i, _)| *i < row).count() as u32).collect();
    let columns: Vec<u32> = cells.iter().map(|(_, k)| *k).collect();
    let values: Vec<f32> = cells.iter().map(|(i, k)| (i * 3 + k) as f32 / 8.0 - 1.0).collect();
    let start: Vec<f32> = (0..48).map(|i| (i * 7 % 13) as f32).collect();
    let mut x = start.clone();
    agree!(Grid::new(1, 6), forward(&offsets, &columns, &values; x));
    let mut product = vec![0.0; 8];
    agree!(Grid::new(1, 8), spmv(&offsets, &columns, &values, &x[..8]; product));
    assert!((0..8).all(|row| (product[row] + x[row] - start[row]).abs() < 0.01), "{product:?}");
}

#[test]
fn steps_come_near() {
    let matrix: Vec<f32> = (0..64).map(|i| if i % 9 == 0 { 8.0 } else { (i % 3) as f32 / 4.0 }).collect();
    let right: Vec<f32> = (0..8).map(|i| i as f32 - 3.0).collect();
    let (mut x, mut next) = (vec![0.0; 8], vec![0.0; 8]);
    for _ in 0..6 {
        agree!(Grid::new(1, 8), jacobi(&matrix, &right, &x; next));
        std::mem::swap(&mut x, &mut next);
    }
    assert!(x.iter().zip(&next).all(|(now, before)| (now - before).abs() < 0.1), "{x:?} {next:?}");
}

#[test]
fn waves_are_found() {
    let x: Vec<[f32; 8]> = (0..6).map(|i| std::array::from_fn(|k| (i * k % 5) as f32)).collect();
    let mut out = vec![[0.0; 8]; 6];
    agree!(Grid::new(1, 6), dct(&x; out));
    assert_eq!(out[0], [0.0; 8]);
    // It keeps lengths.
    let length = |x: &[f32; 8]| x.iter().map(|v| v * v).sum::<f32>();
    assert!(x.iter().zip(&out).all(|(x, y)| (length(x) - length(y)).abs() < 0.01));
}
