//! Iterators over atomics, of slices and of shared arrays.

use simt::prelude::*;
use std::sync::atomic::{AtomicI32, AtomicU32, Ordering::Relaxed};

#[device]
fn raise(a: &AtomicU32, by: u32) -> u32 {
    a.fetch_add(by, Relaxed)
}

#[kernel]
fn histogram(x: &[u32], bins: &[AtomicU32]) {
    #[shared]
    let local: [AtomicU32; 8];
    let (t, n) = (thread_idx().x, block_dim().x);
    for bin in local.iter().skip(t).step_by(n) {
        bin.store(0, Relaxed);
    }
    sync_threads();
    if global_id() < x.len() {
        local[x[global_id()] as usize % 8].fetch_add(1, Relaxed);
    }
    sync_threads();
    for (bin, count) in bins.iter().zip(&local).skip(t).step_by(n) {
        bin.fetch_add(count.load(Relaxed), Relaxed);
    }
}

#[kernel]
fn reads(a: &[AtomicU32], b: &[AtomicI32], out: &mut [u32]) {
    for v in a {
        out[0] += v.load(Relaxed);
    }
    for (k, v) in a.iter().enumerate() {
        out[1] += v.load(Relaxed) * k as u32;
    }
    out[2] = a.iter().map(|v| v.load(Relaxed)).sum();
    out[3] = a.iter().map(|v| v.load(Relaxed)).max().unwrap();
    out[4] = a.iter().filter(|v| v.load(Relaxed) > 4).count() as u32;
    out[5] = a[1..].iter().rev().take(2).map(|v| v.load(Relaxed)).fold(1, |s, v| s * 10 + v);
    out[6] = b.iter().map(|v| v.load(Relaxed).unsigned_abs()).sum();
    out[7] = a.iter().any(|v| v.load(Relaxed) == 7) as u32;
    out[8] = a.iter().position(|v| v.load(Relaxed) == 9).unwrap_or(99) as u32;
    for (v, w) in a.iter().zip(b) {
        out[9] += v.load(Relaxed) * w.load(Relaxed).unsigned_abs();
    }
    for (v, &n) in a.iter().zip(&[1_u32, 2, 3]) {
        out[10] += raise(v, n);
    }
    a.iter().for_each(|v| v.fetch_max(6, Relaxed));
    for v in &a[..2] {
        v.fetch_sub(1, Relaxed);
    }
}

#[test]
fn loops_go_over_atomics() {
    let x: Vec<u32> = (0..50).map(|i| i * i % 11).collect();
    let mut expected = [0; 8];
    x.iter().for_each(|&v| expected[v as usize % 8] += 1);
    for_each_policy!(P => {
        let bins: [AtomicU32; 8] = Default::default();
        Gpu::<P>::default().launch(Grid::covering(x.len() as u32, 5), histogram(&x, &bins)).unwrap();
        assert_eq!(bins.map(AtomicU32::into_inner), expected);

        let (a, b) = ([3, 9, 5, 2].map(AtomicU32::new), [-1, 2, -3].map(AtomicI32::new));
        let mut out = [0; 11];
        Gpu::<P>::default().launch(Grid::new(1, 1), reads(&a, &b, &mut out)).unwrap();
        assert_eq!(out, [19, 25, 19, 9, 2, 125, 6, 0, 1, 36, 17]);
        assert_eq!(a.map(AtomicU32::into_inner), [5, 10, 8, 6]);
    });
}
