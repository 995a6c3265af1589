//! A product of matrices by tiles, generic over the number.

use simt::prelude::*;

const TILE: usize = 16;

/// C = A * B, row major. A is m x k, B is k x n.
#[kernel]
fn matmul<T: Num>(m: usize, n: usize, k: usize, a: &[T], b: &[T], c: &mut [T]) {
    #[shared]
    let mut ta: [[T; TILE]; TILE];
    #[shared]
    let mut tb: [[T; TILE]; TILE];
    let (tx, ty) = (thread_idx().x, thread_idx().y);
    let row = block_idx().y * TILE + ty;
    let col = block_idx().x * TILE + tx;
    let mut acc = T::default();
    for t in 0..k.div_ceil(TILE) {
        ta[ty][tx] = if row < m && t * TILE + tx < k { a[row * k + t * TILE + tx] } else { T::default() };
        tb[ty][tx] = if t * TILE + ty < k && col < n { b[(t * TILE + ty) * n + col] } else { T::default() };
        sync_threads();
        for i in 0..TILE {
            acc += ta[ty][i] * tb[i][tx];
        }
        sync_threads();
    }
    if row < m && col < n {
        c[row * n + col] = acc;
    }
}

fn check<
    T: Num + std::ops::Mul<Output = T> + std::ops::AddAssign + From<u8> + PartialEq + std::fmt::Debug + Default,
>() {
    let (m, n, k) = (37, 45, 29);
    let a: Vec<T> = (0..m * k).map(|i| T::from((i % 7) as u8)).collect();
    let b: Vec<T> = (0..k * n).map(|i| T::from((i % 5) as u8)).collect();
    let mut want = vec![T::default(); m * n];
    for r in 0..m {
        for c in 0..n {
            for i in 0..k {
                want[r * n + c] += a[r * k + i] * b[i * n + c];
            }
        }
    }
    for_each_policy!(P => {
        let mut c = vec![T::default(); m * n];
        let gpu = Gpu::<P>::default();
        let grid = Grid::new((n.div_ceil(TILE), m.div_ceil(TILE)), (TILE, TILE));
        gpu.launch(grid, matmul(m, n, k, &a, &b, &mut c)).unwrap();
        assert_eq!(c, want);
    });
}
#[test]
fn f32s() {
    check::<f32>()
}
#[test]
fn f64s() {
    check::<f64>()
}
