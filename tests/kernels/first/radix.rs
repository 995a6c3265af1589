//! A radix sort.

use simt::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

const BITS: u32 = 4;
const R: usize = 1 << BITS;

#[kernel]
fn count<const RADIX: usize>(keys: &[u32], shift: u32, counts: &mut [u32]) {
    #[shared]
    let hist: [AtomicU32; RADIX];
    let t = thread_idx().x;
    if t < RADIX {
        hist[t].store(0, Relaxed);
    }
    sync_threads();
    let i = global_id();
    if i < keys.len() {
        let digit = (keys[i] >> shift) as usize & (RADIX - 1);
        hist[digit].fetch_add(1, Relaxed);
    }
    sync_threads();
    if t < RADIX {
        // column major: all blocks' counts of one digit side by side
        counts[t * grid_dim().x + block_idx().x] = hist[t].load(Relaxed);
    }
}

#[kernel]
fn scan_serial(counts: &mut [u32]) {
    let mut sum = 0;
    for c in 0..counts.len() {
        let v = counts[c];
        counts[c] = sum;
        sum += v;
    }
}

#[kernel]
fn scatter<const RADIX: usize>(keys: &[u32], shift: u32, offsets: &[u32], out: &mut [u32]) {
    #[shared]
    let mut digits: [u8; 256];
    let t = thread_idx().x;
    let i = global_id();
    let digit = if i < keys.len() { ((keys[i] >> shift) & (RADIX as u32 - 1)) as u8 } else { u8::MAX };
    digits[t] = digit;
    sync_threads();
    if i >= keys.len() {
        return;
    }
    let mut rank = 0;
    for k in 0..t {
        if digits[k] == digit {
            rank += 1;
        }
    }
    let base = offsets[digit as usize * grid_dim().x + block_idx().x];
    out[(base + rank) as usize] = keys[i];
}

#[test]
fn sorts() {
    let mut s = 12345u32;
    let keys: Vec<u32> = (0..1000)
        .map(|_| {
            s ^= s << 13;
            s ^= s >> 17;
            s ^= s << 5;
            s
        })
        .collect();
    let mut want = keys.clone();
    want.sort();
    for_each_policy!(P => {
        let gpu = Gpu::<P>::default();
        let grid = Grid::covering(keys.len(), 256);
        let blocks = keys.len().div_ceil(256);
        let (mut a, mut b) = (keys.clone(), vec![0; keys.len()]);
        for shift in (0..32).step_by(BITS as usize) {
            let mut counts = vec![0; R * blocks];
            gpu.launch(grid, count::<R>(&a, shift, &mut counts)).unwrap();
            gpu.launch(Grid::new(1, 1), scan_serial(&mut counts)).unwrap();
            gpu.launch(grid, scatter::<R>(&a, shift, &counts, &mut b)).unwrap();
            std::mem::swap(&mut a, &mut b);
        }
        assert_eq!(a, want);
    });
}
