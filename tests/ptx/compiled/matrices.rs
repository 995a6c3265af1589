//! Products of matrices.

use super::{Run, arguments, everywhere};
use crate::gallery::input::Random;
use simt::host::DeviceMemory;
use simt::{Grid, Report};

pub(super) fn matrix_product(run: &Run) -> Report {
    let (rows, inner, columns) = (20usize, 28usize, 36usize);
    let mut random = Random::new(2);
    let (a, b) = (random.floats(rows * inner, -1.0, 1.0), random.floats(inner * columns, -1.0, 1.0));
    let mut memory = DeviceMemory::new();
    let (at_a, at_b) = (memory.upload(&a).unwrap(), memory.upload(&b).unwrap());
    let product = memory.upload(&vec![0f32; rows * columns]).unwrap();
    let grid = Grid::new((columns.div_ceil(8), rows.div_ceil(8)), (8, 8));
    let arguments = arguments![rows as u32, inner as u32, columns as u32, at_a, at_b, product];
    let report = run.launch("matrix_product", grid, &mut memory, arguments);
    let element = |i: usize| {
        let (row, column) = (i / columns, i % columns);
        (0..inner).fold(0f32, |sum, k| sum + a[row * inner + k] * b[k * columns + column])
    };
    let expected: Vec<f32> = (0..rows * columns).map(element).collect();
    assert_eq!(memory.read::<f32>(product, expected.len()).unwrap(), expected, "{run}");
    report
}

pub(super) fn sparse_product(run: &Run) -> Report {
    let size = 300;
    let mut random = Random::new(12);
    let (mut first, mut columns) = (vec![0], Vec::new());
    for _ in 0..size {
        let most = 3 << (random.below(32) + 1).trailing_zeros();
        let elements = random.below(most + 1) as usize;
        columns.extend(random.numbers(elements, size));
        first.push(columns.len() as u32);
    }
    let values = random.floats(columns.len(), -1.0, 1.0);
    let x = random.floats(size as usize, -1.0, 1.0);
    let mut memory = DeviceMemory::new();
    let (at_first, at_columns) = (memory.upload(&first).unwrap(), memory.upload(&columns).unwrap());
    let (at_values, at_x) = (memory.upload(&values).unwrap(), memory.upload(&x).unwrap());
    let y = memory.upload(&vec![f32::NAN; size as usize]).unwrap();
    let arguments = arguments![size, at_first, at_columns, at_values, at_x, y];
    let report = run.launch("sparse_product", Grid::covering(size, 64), &mut memory, arguments);
    let element = |i: usize| values[i] * x[columns[i] as usize];
    let row = |ends: &[u32]| (ends[0] as usize..ends[1] as usize).fold(0f32, |sum, i| sum + element(i));
    let expected: Vec<f32> = first.windows(2).map(row).collect();
    assert_eq!(memory.read::<f32>(y, size as usize).unwrap(), expected, "{run}");
    report
}

#[test]
fn dense_products() {
    everywhere("matrices", &["matrix_product"], matrix_product);
}

#[test]
fn sparse_products() {
    everywhere("matrices", &["sparse_product"], sparse_product);
}
