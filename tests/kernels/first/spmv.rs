//! A sparse matrix times a vector.

use simt::prelude::*;

#[kernel]
fn spmv_scalar(row_ptr: &[u32], cols: &[u32], vals: &[f64], x: &[f64], y: &mut [f64]) {
    let row = global_id();
    if row < y.len() {
        let mut sum = 0.0;
        for j in row_ptr[row]..row_ptr[row + 1] {
            sum += vals[j as usize] * x[cols[j as usize] as usize];
        }
        y[row] = sum;
    }
}

#[kernel]
fn spmv_vector(row_ptr: &[u32], cols: &[u32], vals: &[f64], x: &[f64], y: &mut [f64]) {
    const WARP: usize = 32;
    let row = global_id() / WARP;
    let lane = lane_id();
    if row >= y.len() {
        return;
    }
    let mut sum = 0.0;
    let start = row_ptr[row] as usize + lane;
    let end = row_ptr[row + 1] as usize;
    for j in (start..end).step_by(WARP) {
        sum += vals[j] * x[cols[j] as usize];
    }
    let mut d = 16;
    while d > 0 {
        sum += shuffle_down(sum, d);
        d /= 2;
    }
    if lane == 0 {
        y[row] = sum;
    }
}

#[test]
fn spmv() {
    let n = 300;
    let (mut row_ptr, mut cols, mut vals) = (vec![0u32], vec![], vec![]);
    for r in 0..n {
        for j in 0..(r * 37) % 71 {
            cols.push(((r * 13 + j * 5) % n) as u32);
            vals.push((1 + (r + j) % 9) as f64);
        }
        row_ptr.push(cols.len() as u32);
    }
    let x: Vec<f64> = (0..n).map(|i| (i % 11) as f64).collect();
    let want: Vec<f64> = (0..n)
        .map(|r| (row_ptr[r]..row_ptr[r + 1]).map(|j| vals[j as usize] * x[cols[j as usize] as usize]).sum())
        .collect();
    for_each_policy!(P => {
        let gpu = Gpu::<P>::default();
        let mut y = vec![0.0; n];
        gpu.launch(Grid::covering(n, 128), spmv_scalar(&row_ptr, &cols, &vals, &x, &mut y)).unwrap();
        assert_eq!(y, want);
        let mut y = vec![0.0; n];
        gpu.launch(Grid::covering(n * 32, 128), spmv_vector(&row_ptr, &cols, &vals, &x, &mut y)).unwrap();
        assert_eq!(y, want);
    });
}
