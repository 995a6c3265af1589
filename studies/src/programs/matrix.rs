//! Matrix multiplication: a thread an element of the product, from global memory, as the first version in every textbook; four
//! steps of the sum an iteration.
//!
//! No lane ever parts from its warp. Each step of a block needs a row of the right factor, which does not fit in the cache.

use simt::prelude::*;

use super::{Machine, Size};

#[kernel]
pub(crate) fn multiply(inner: usize, columns: usize, a: &[f32], b: &[f32], product: &mut [f32]) {
    let element = global_id();
    if element >= product.len() {
        return;
    }
    let (row, column) = (element / columns, element % columns);
    let mut from_a = row * inner;
    let mut from_b = column;
    let end = from_a + inner;
    let mut sum = 0.0;
    while from_a < end {
        sum += a[from_a] * b[from_b];
        sum += a[from_a + 1] * b[from_b + columns];
        sum += a[from_a + 2] * b[from_b + 2 * columns];
        sum += a[from_a + 3] * b[from_b + 3 * columns];
        from_a += 4;
        from_b += 4 * columns;
    }
    product[element] = sum;
}

/// Launches the program, and compares with plain Rust.
pub(crate) fn run(machine: &mut dyn Machine, size: &Size) -> Result<(), LaunchError> {
    let (inner, columns) = size.choose((16, 16), (160, 1024), (1024, 1024));
    // Whole rows, for five rounds of all cores at the full scale.
    let rows = size.choose(8, (2 * 768 * size.cores).div_ceil(columns), (5 * 768 * size.cores).div_ceil(columns));
    let mut random = size.random(3);
    let (a, b) = (random.floats(rows * inner, -1.0, 1.0), random.floats(inner * columns, -1.0, 1.0));
    let mut product = vec![0.0; rows * columns];
    machine.launch(size.grid(product.len()), multiply(inner, columns, &a, &b, &mut product))?;
    for (element, found) in product.iter().enumerate() {
        let (row, column) = (element / columns, element % columns);
        // Each sum has the same order, so not a bit differs.
        let expected = (0..inner).fold(0.0, |sum, k| sum + a[row * inner + k] * b[k * columns + column]);
        assert_eq!(*found, expected);
    }
    Ok(())
}
