//! LU decomposition without pivoting, in place: a block decomposes one matrix, a thread works on one row.
//!
//! The plain form of Rodinia's LUD. In step k only the rows below k work: each step leaves one more lane idle, until whole
//! warps have nothing to do but to come to the barrier.

use simt::prelude::*;

use super::input::Random;
use super::machine::Machine;

#[kernel]
pub(crate) fn decompose(n: usize, matrices: &mut [f32]) {
    let first = block_idx().x * n * n;
    let row = first + thread_idx().x * n;
    for k in 0..n {
        sync_threads();
        if thread_idx().x > k && thread_idx().x < n {
            let pivot = first + k * n;
            let factor = matrices[row + k] / matrices[pivot + k];
            matrices[row + k] = factor;
            for column in k + 1..n {
                matrices[row + column] -= factor * matrices[pivot + column];
            }
        }
    }
}

fn host(n: usize, matrix: &mut [f32]) {
    for k in 0..n {
        let (upper, lower) = matrix.split_at_mut((k + 1) * n);
        let pivot = &upper[k * n..];
        for row in lower.chunks_mut(n) {
            row[k] /= pivot[k];
            for column in k + 1..n {
                row[column] -= row[k] * pivot[column];
            }
        }
    }
}

pub(crate) fn run(gpu: &dyn Machine) -> Result<Report, LaunchError> {
    let (n, count) = (40, 3);
    let mut matrices = Random::new(8).floats(count * n * n, -1.0, 1.0);
    // A large diagonal makes pivoting needless.
    for matrix in matrices.chunks_mut(n * n) {
        (0..n).for_each(|i| matrix[i * n + i] += n as f32);
    }
    let mut expected = matrices.clone();
    expected.chunks_mut(n * n).for_each(|matrix| host(n, matrix));
    let report = gpu.launch(Grid::new(count, n.next_multiple_of(32)), decompose(n, &mut matrices))?;
    // The same operations on each element in the same order, so not a bit differs.
    assert_eq!(matrices, expected);
    Ok(report)
}
