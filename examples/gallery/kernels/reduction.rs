//! Sum of an array: each thread adds up its share, each warp its threads' by shuffles, each block its warps' through
//! shared memory, and the grid its blocks' by an atomic.
//!
//! After Mark Harris, "Optimizing Parallel Reduction in CUDA", and the shuffles of NVIDIA's "Faster Parallel Reductions on
//! Kepler". A grid-stride loop keeps warps full; the last warp works alone at the end, and one lane of it at the very end.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use simt::prelude::*;

use super::input::Random;
use super::machine::Machine;

/// Threads in a block.
const BLOCK: usize = 64;

/// Warps of a block, where they are narrowest.
const MAX_WARPS: usize = BLOCK / 4;

/// The sum of the values of all lanes, in lane 0.
#[device]
fn warp_sum(lanes: usize, value: u32) -> u32 {
    let mut sum = value;
    let mut distance = lanes as u32 / 2;
    while distance > 0 {
        sum += shuffle_down(sum, distance);
        distance /= 2;
    }
    sum
}

#[kernel]
pub(crate) fn reduce(lanes: usize, x: &[u32], total: &[AtomicU32]) {
    #[shared]
    let mut sums: [u32; MAX_WARPS];
    let mut sum = 0;
    for i in (global_id()..x.len()).step_by(grid_dim().x * BLOCK) {
        sum += x[i];
    }
    sum = warp_sum(lanes, sum);
    if lane_id() == 0 {
        sums[warp_id()] = sum;
    }
    sync_threads();
    if warp_id() > 0 {
        return;
    }
    sum = 0;
    for warp in (lane_id()..BLOCK / lanes).step_by(lanes) {
        sum += sums[warp];
    }
    sum = warp_sum(lanes, sum);
    if lane_id() == 0 {
        total[0].fetch_add(sum, Relaxed);
    }
}

pub(crate) fn run(gpu: &dyn Machine) -> Result<Report, LaunchError> {
    let x = Random::new(3).numbers(5000, 1000);
    let total = [AtomicU32::new(0)];
    let report = gpu.launch(Grid::new(8, BLOCK), reduce(gpu.config().warp_width, &x, &total))?;
    assert_eq!(total.map(AtomicU32::into_inner), [x.iter().sum::<u32>()]);
    Ok(report)
}
