//! Rows of atomics: names of them, loops over them, and as arguments.

use simt::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

#[device]
fn total(row: &[AtomicU32]) -> u32 {
    row.iter().map(|a| a.load(Relaxed)).sum()
}

#[device]
fn last<const N: usize>(row: &[AtomicU32; N]) -> u32 {
    row[N - 1].load(Relaxed)
}

#[device]
fn totals(rows: &[[AtomicU32; 4]]) -> u32 {
    let mut sum = 0;
    for row in rows {
        sum = sum * 10 + total(row);
    }
    sum + rows.len() as u32 * 100_000
}

#[kernel]
fn of_block(x: &[u32], out: &mut [u32]) {
    #[shared]
    let h: [[AtomicU32; 4]; 2];
    #[shared]
    let sums: [[AtomicF32; 2]; 2];
    let t = thread_idx().x;
    if t == 0 {
        for row in &h {
            for (k, a) in row.iter().enumerate() {
                a.store(k as u32, Relaxed);
            }
        }
        for s in sums.iter() {
            s[0].store(0.0, Relaxed);
            s[1].store(0.5, Relaxed);
        }
    }
    sync_threads();
    let mine = &h[t % 2];
    mine[x[t] as usize % 4].fetch_add(1, Relaxed);
    let sum = &sums[t / 4];
    sum[0].fetch_add(1.5, Relaxed);
    sync_threads();
    if t < 2 {
        let mut n = 0;
        for a in &h[t] {
            n = n * 10 + a.load(Relaxed);
        }
        for r in &h {
            n += r[t].load(Relaxed) * 100_000;
        }
        n += h[t].iter().map(|a| a.load(Relaxed)).max().unwrap() * 1_000_000;
        n += h[1].len() as u32 * 10_000_000;
        out[t] = n;
        out[2 + t] = total(&h[t]) + total(mine) * 100 + h.len() as u32 * 10_000;
        out[4 + t] = totals(&h) + totals(&h[t..]) * 2;
        out[6 + t] = (sums[t][0].load(Relaxed) + sums[t].iter().map(|a| a.load(Relaxed)).sum::<f32>()) as u32;
        let all: u32 = h.iter().map(|row| row.iter().map(|a| a.load(Relaxed)).sum::<u32>()).sum();
        out[8 + t] = all * 100 + h.iter().zip(1..).map(|(row, by)| row[0].load(Relaxed) * by).sum::<u32>();
        out[10 + t] = last::<4>(&h[t]);
    }
}

#[test]
fn shared_rows() {
    let x = [0, 1, 0, 3, 2, 3, 0, 3];
    // Row 0 counts 0 0 2 0, row 1 counts 1 3 3 3.
    let rows = [[3, 1, 3, 3], [0, 2, 2, 6]];
    let of = |row: [u32; 4]| row.iter().fold(0, |n, v| n * 10 + v);
    let [first, second] = rows.map(|row| row.iter().sum::<u32>());
    let mut expected = [0; 12];
    for t in 0..2 {
        let column: u32 = rows.iter().map(|row| row[t]).sum();
        let max = *rows[t].iter().max().unwrap();
        expected[t] = of(rows[t]) + column * 100_000 + max * 1_000_000 + 40_000_000;
        let sum = [first, second][t];
        expected[2 + t] = sum * 101 + 20_000;
        let both = first * 10 + second + 200_000;
        expected[4 + t] = both + 2 * [both, second + 100_000][t];
        expected[6 + t] = 12;
        expected[8 + t] = (first + second) * 100 + rows[0][0] + 2 * rows[1][0];
        expected[10 + t] = rows[t][3];
    }
    everywhere!(|gpu| {
        let mut out = [0; 12];
        let launched = gpu.launch(Grid::new(1, 8), of_block(&x, &mut out));
        assert!(launched.is_ok(), "{launched:?}");
        assert_eq!(out, expected);
    });
}

#[kernel]
fn of_launch(rows: &[[AtomicU32; 4]], two: &[[AtomicU32; 2]; 2], out: &mut [u32]) {
    let i = global_id();
    let row = &rows[i % rows.len()];
    row[i % 4].fetch_add(1, Relaxed);
    for (r, by) in two.iter().zip(1..) {
        r[i % 2].fetch_add(by, Relaxed);
    }
    out[i] = rows.len() as u32 * 10 + two[1].len() as u32;
}

#[test]
fn rows_of_the_launch() {
    everywhere!(|gpu| {
        let rows: [[AtomicU32; 4]; 3] = Default::default();
        let two: [[AtomicU32; 2]; 2] = Default::default();
        let mut out = [0; 6];
        let launched = gpu.launch(Grid::new(2, 3), of_launch(&rows, &two, &mut out));
        assert!(launched.is_ok(), "{launched:?}");
        assert_eq!(out, [32; 6]);
        assert_eq!(rows.map(|row| row.map(AtomicU32::into_inner)), [[1, 0, 0, 1], [1, 1, 0, 0], [0, 1, 1, 0]]);
        assert_eq!(two.map(|row| row.map(AtomicU32::into_inner)), [[3, 3], [6, 6]]);
    });
}

#[kernel]
fn beyond(rows: &[[AtomicU32; 4]], out: &mut [u32]) {
    let row = &rows[1];
    out[0] = row[out.len() + 3].load(Relaxed);
}

/// An index beyond the row is none of the next row's.
#[test]
fn a_row_has_an_end() {
    let rows: [[AtomicU32; 4]; 3] = Default::default();
    let error = Gpu::<Ipdom>::default().launch(Grid::new(1, 1), beyond(&rows, &mut [0])).unwrap_err().to_string();
    assert!(error.contains("index 4 is out of bounds of `rows["), "{error}");
}
