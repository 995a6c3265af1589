//! Matrix product in tiles: a block computes a square of the product, from squares of the factors in shared memory.
//!
//! The example of shared memory in the CUDA C++ Programming Guide and in Kirk and Hwu, "Programming Massively Parallel
//! Processors", with their boundary checks. Only tiles at the edges diverge, for a load at a time.

use simt::prelude::*;

use super::input::Random;

/// Rows and columns of a tile.
const TILE: usize = 8;

#[kernel]
pub(crate) fn matrix_product(rows: usize, inner: usize, columns: usize, a: &[f32], b: &[f32], product: &mut [f32]) {
    #[shared]
    let mut a_tile: [f32; TILE * TILE];
    #[shared]
    let mut b_tile: [f32; TILE * TILE];
    let (x, y) = (thread_idx().x, thread_idx().y);
    let column = block_idx().x * TILE + x;
    let row = block_idx().y * TILE + y;
    let mut sum = 0.0;
    for first in (0..inner).step_by(TILE) {
        let in_a = row < rows && first + x < inner;
        let in_b = first + y < inner && column < columns;
        a_tile[y * TILE + x] = if in_a { a[row * inner + first + x] } else { 0.0 };
        b_tile[y * TILE + x] = if in_b { b[(first + y) * columns + column] } else { 0.0 };
        sync_threads();
        for k in 0..TILE {
            sum += a_tile[y * TILE + k] * b_tile[k * TILE + x];
        }
        // No thread overwrites a tile that others still read.
        sync_threads();
    }
    if row < rows && column < columns {
        product[row * columns + column] = sum;
    }
}

fn host(rows: usize, inner: usize, columns: usize, a: &[f32], b: &[f32]) -> Vec<f32> {
    let at =
        |row: usize, column: usize| (0..inner).fold(0.0, |sum, k| sum + a[row * inner + k] * b[k * columns + column]);
    (0..rows * columns).map(|i| at(i / columns, i % columns)).collect()
}

pub(crate) fn run<P: Policy>(gpu: &Gpu<P>) -> Result<Report, LaunchError> {
    let (rows, inner, columns) = (20, 28, 36);
    let mut random = Random::new(2);
    let (a, b) = (random.floats(rows * inner, -1.0, 1.0), random.floats(inner * columns, -1.0, 1.0));
    let mut product = vec![0.0; rows * columns];
    let grid = Grid::new((columns.div_ceil(TILE), rows.div_ceil(TILE)), (TILE, TILE));
    let report = gpu.launch(grid, matrix_product(rows, inner, columns, &a, &b, &mut product))?;
    // Each sum has the same order, so not a bit differs.
    assert_eq!(product, host(rows, inner, columns, &a, &b));
    Ok(report)
}
