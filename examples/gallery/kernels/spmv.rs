//! Sparse matrix times vector, the matrix in compressed rows (CSR): a thread a row.
//!
//! The scalar kernel of Bell and Garland, "Efficient Sparse Matrix-Vector Multiplication on CUDA". Rows have different
//! numbers of elements, and a warp takes as long as its longest row.

use simt::prelude::*;

use super::input::Random;
use super::machine::Machine;

#[kernel]
pub(crate) fn multiply(first: &[u32], columns: &[u32], values: &[f32], x: &[f32], y: &mut [f32]) {
    let row = global_id();
    if row >= y.len() {
        return;
    }
    let mut sum = 0.0;
    for i in first[row] as usize..first[row + 1] as usize {
        sum += values[i] * x[columns[i] as usize];
    }
    y[row] = sum;
}

pub(crate) fn run(gpu: &dyn Machine) -> Result<Report, LaunchError> {
    let size = 300;
    let mut random = Random::new(12);
    let (mut first, mut columns) = (vec![0], Vec::new());
    for _ in 0..size {
        // Half of the rows have up to 3 elements, a quarter up to 6, and so on.
        let most = 3 << (random.below(32) + 1).trailing_zeros();
        let elements = random.below(most + 1) as usize;
        columns.extend(random.numbers(elements, size));
        first.push(columns.len() as u32);
    }
    let values = random.floats(columns.len(), -1.0, 1.0);
    let x = random.floats(size as usize, -1.0, 1.0);
    let mut y = vec![0.0; x.len()];
    let report = gpu.launch(Grid::covering(y.len(), 64), multiply(&first, &columns, &values, &x, &mut y))?;

    let element = |i: usize| values[i] * x[columns[i] as usize];
    let rows = first.windows(2).map(|ends| ends[0] as usize..ends[1] as usize);
    let expected: Vec<f32> = rows.map(|row| row.fold(0.0, |sum, i| sum + element(i))).collect();
    // The same order in each sum, so not a bit differs.
    assert_eq!(y, expected);
    Ok(report)
}
