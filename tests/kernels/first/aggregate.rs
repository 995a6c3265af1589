//! One atomic for all lanes of a warp.

use simt::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// The well-known warp-aggregated filter.
#[kernel]
fn filter(src: &[i32], dst: &mut [i32], count: &[AtomicU32]) {
    let i = global_id();
    if i >= src.len() {
        return;
    }
    let v = src[i];
    if v > 0 {
        let mask = active_mask();
        let leader = mask.trailing_zeros();
        let rank = (mask & ((1u64 << lane_id()) - 1)).count_ones();
        let mut base = 0;
        if lane_id() == leader as usize {
            base = count[0].fetch_add(mask.count_ones(), Relaxed);
        }
        base = shuffle_mask(mask, base, leader);
        dst[(base + rank) as usize] = v;
    }
}

/// With ballot instead, all come.
#[kernel]
fn filter_ballot(src: &[i32], dst: &mut [i32], count: &[AtomicU32]) {
    let i = global_id();
    let keep = i < src.len() && src[i] > 0;
    let mask = ballot(keep);
    if mask == 0 {
        return;
    }
    let leader = mask.trailing_zeros();
    let base = if lane_id() == leader as usize { count[0].fetch_add(mask.count_ones(), Relaxed) } else { 0 };
    let base = shuffle(base, leader);
    if keep {
        dst[(base + (mask & ((1u64 << lane_id()) - 1)).count_ones()) as usize] = src[i];
    }
}

#[test]
fn filters() {
    let src: Vec<i32> = (0..1000).map(|i| (i * 7919) % 101 - 50).collect();
    let mut want: Vec<i32> = src.iter().copied().filter(|v| *v > 0).collect();
    want.sort();
    for_each_policy!(P => {
        for which in 0..2 {
            let mut dst = vec![0; want.len()];
            let count = [AtomicU32::new(0)];
            let gpu = Gpu::<P>::default();
            let grid = Grid::covering(src.len(), 128);
            if which == 0 { gpu.launch(grid, filter(&src, &mut dst, &count)).unwrap(); } else { gpu.launch(grid, filter_ballot(&src, &mut dst, &count)).unwrap(); }
            dst.sort();
            assert_eq!(dst, want);
        }
    });
}
