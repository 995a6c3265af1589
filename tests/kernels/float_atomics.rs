//! Atomic floats: the same text on the device and on the host.

use simt::prelude::*;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};

const GRID: (usize, usize) = (3, 30);

alike! {
    fn float_operations(x: &[AtomicF32], wide: &[AtomicF64], first: &[AtomicF32]) {
        let i = global_id();
        let n = (i * 7 % 13) as f32 - 6.0;
        x[0].fetch_add(n * 0.5, Relaxed);
        x[1].fetch_sub(n, AcqRel);
        x[2].fetch_min(n, SeqCst);
        x[3].fetch_max(n, Release);
        x[4].fetch_min(if i % 3 == 0 { f32::NAN } else { n + 1.5 }, Relaxed);
        x[5].fetch_max(if i % 2 == 0 { -0.0 } else { 0.0 }, Acquire);
        wide[0].fetch_add(n as f64 * 0.25, Relaxed);
        wide[1].fetch_max(f64::INFINITY, Relaxed);
        wide[2].store(-2.5, Relaxed);
        wide[3].fetch_sub(f64::INFINITY, Relaxed);
        if x[6].swap(2.0, AcqRel) == 1.0 {
            first[0].fetch_add(1.0, Relaxed);
        }
        // One thread finds the NaN, and none takes `-0.0` for `0.0`.
        if x[7].compare_exchange(f32::NAN, -0.0, AcqRel, Acquire).is_ok() {
            first[1].fetch_add(1.0, Relaxed);
        }
        if x[7].compare_exchange_weak(0.0, 5.0, AcqRel, Acquire).is_ok() {
            first[2].fetch_add(1.0, Relaxed);
        }
        let mut old = wide[4].load(Relaxed);
        loop {
            match wide[4].compare_exchange_weak(old, old * 2.0, AcqRel, Relaxed) {
                Ok(_) => break,
                Err(now) => old = now,
            }
        }
    }
}

type Floats = ([AtomicF32; 8], [AtomicF64; 5], [AtomicF32; 3]);

fn floats() -> Floats {
    let x = [0.0, 0.0, 9.0, -9.0, f32::NAN, -0.0, 1.0, f32::from_bits(0xffc0_1234)];
    (x.map(AtomicF32::new), [0.0, 0.0, 1.0, 4.0, 1.0].map(AtomicF64::new), Default::default())
}

fn bits((x, wide, first): Floats) -> ([u32; 8], [u64; 5], [f32; 3]) {
    let (x, wide) = (x.map(|x| x.into_inner().to_bits()), wide.map(|x| x.into_inner().to_bits()));
    (x, wide, first.map(AtomicF32::into_inner))
}

#[test]
fn floats_do_the_same_on_the_host() {
    let grid = Grid::new(GRID.0, GRID.1);
    let host = floats();
    crate::support::host::run(grid, || plain::float_operations(&host.0, &host.1, &host.2));
    let expected = bits(host);
    assert_eq!(expected.2, [1.0, 1.0, 0.0]);
    everywhere!(|gpu| {
        let device = floats();
        gpu.launch(grid, float_operations(&device.0, &device.1, &device.2)).expect("a launch");
        assert_eq!(bits(device), expected);
    });
}

#[device]
fn add(to: &AtomicF32, value: f32) -> f32 {
    to.fetch_add(value, Relaxed)
}

#[kernel]
fn block_sums(x: &[f32], sums: &[AtomicF32]) {
    #[shared]
    let rows: [[AtomicF32; 2]; 2];
    let t = thread_idx().x;
    if t < 4 {
        rows[t / 2][t % 2].store(0.0, Relaxed);
    }
    sync_threads();
    rows[t % 2][1].fetch_add(x[global_id()], Relaxed);
    sync_threads();
    if t == 0 {
        let sum = rows[0][1].load(Relaxed) + rows[1][1].load(Relaxed);
        add(&sums[block_idx().x], sum);
    }
}

#[test]
fn arrays_of_rows_and_references_of_floats() {
    let x: Vec<f32> = (0..90u8).map(|i| f32::from(i) * 0.25).collect();
    let expected: Vec<f32> = x.chunks(30).map(|block| 1.0 + block.iter().sum::<f32>()).collect();
    everywhere!(|gpu| {
        let sums = [1.0, 1.0, 1.0].map(AtomicF32::new);
        gpu.launch(Grid::new(GRID.0, GRID.1), block_sums(&x, &sums)).expect("a launch");
        assert_eq!(sums.map(AtomicF32::into_inner), *expected);
    });
}

#[kernel]
fn rounded_sum(x: &[f32], sum: &[AtomicF32]) {
    sum[0].fetch_add(x[global_id()], Relaxed);
}

#[test]
fn lanes_are_added_in_ascending_order() {
    let x: Vec<f32> = (0..32u8).map(|i| 0.1 * f32::from(i * 7 % 32) * 10f32.powi(i32::from(i % 5))).collect();
    let in_order = x.iter().fold(0.0, |sum, x| sum + x);
    assert_ne!(x.iter().rev().fold(0.0, |sum, x| sum + x), in_order, "the order shows");
    let sum = [AtomicF32::new(0.0)];
    Gpu::<Ipdom>::default().launch(Grid::new(1, 32), rounded_sum(&x, &sum)).expect("a launch");
    assert_eq!(sum[0].load(Relaxed), in_order);
}
