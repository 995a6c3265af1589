//! The textbook's spin lock, taken by one thread of each warp.
//!
//! Only one thread of each warp takes the lock, so no lane of its warp waits for it, and it ends wherever warps take turns.
//! A policy that regroups the threads of all warps chooses among these threads, too, and may choose those that spin for
//! ever.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use simt::prelude::*;

use super::machine::Machine;

/// Adds up the sizes of the blocks of all warps.
#[kernel]
pub(crate) fn a_lane_a_warp(lock: &[AtomicU32], sum: &mut [u32]) {
    if lane_id() == 0 {
        while lock[0].compare_exchange(0, 1, Acquire, Relaxed).is_err() {}
        sum[0] += block_dim().x as u32;
        lock[0].store(0, Release);
    }
}

pub(crate) fn run(gpu: &dyn Machine) -> Result<Report, LaunchError> {
    let (blocks, threads) = (3_usize, 64_usize);
    let mut sum = [0];
    let report = gpu.launch(Grid::new(blocks, threads), a_lane_a_warp(&[AtomicU32::new(0)], &mut sum))?;
    assert_eq!(sum, [(blocks * threads.div_ceil(gpu.config().warp_width) * threads) as u32]);
    Ok(report)
}
