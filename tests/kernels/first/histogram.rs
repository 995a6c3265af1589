//! A histogram in shared memory.

use simt::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering};

/// Each warp has its own private copy.
#[kernel]
fn histogram<const BINS: usize, const WARPS: usize>(data: &[u8], out: &[AtomicU32]) {
    #[shared]
    let private: [[AtomicU32; BINS]; WARPS];
    let t = thread_idx().x;
    for b in (t..BINS * WARPS).step_by(block_dim().x) {
        private[b / BINS][b % BINS].store(0, Ordering::Relaxed);
    }
    sync_threads();
    let stride = block_dim().x * grid_dim().x;
    let mut i = global_id();
    while i < data.len() {
        private[warp_id()][data[i] as usize].fetch_add(1, Ordering::Relaxed);
        i += stride;
    }
    sync_threads();
    for b in (t..BINS).step_by(block_dim().x) {
        let mut sum = 0;
        for w in 0..WARPS {
            sum += private[w][b].load(Ordering::Relaxed);
        }
        if sum > 0 {
            out[b].fetch_add(sum, Ordering::Relaxed);
        }
    }
}

#[test]
fn counts() {
    let data: Vec<u8> = (0..5000u32).map(|i| (i * i % 251) as u8).collect();
    let mut want = [0; 256];
    data.iter().for_each(|&d| want[d as usize] += 1);
    for_each_policy!(P => {
        let bins: Vec<AtomicU32> = (0..256).map(|_| AtomicU32::new(0)).collect();
        Gpu::<P>::default().launch(Grid::new(4, 128), histogram::<256, 4>(&data, &bins)).unwrap();
        let got: Vec<u32> = bins.into_iter().map(AtomicU32::into_inner).collect();
        assert_eq!(got, want);
    });
}
