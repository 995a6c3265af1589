//! Exclusive scan: element *i* of the result is the sum of all elements before *i*.
//!
//! Blelloch's scan as in GPU Gems 3, chapter 39: a block sweeps up and down a tree over its tile, the blocks' sums are
//! scanned by another launch, and a third one adds them. The tree's steps need half as many threads each time: warps whose
//! threads are all behind the last node skip them, the others run partly empty.

use simt::prelude::*;

use super::input::Random;
use super::machine::Machine;

/// Threads in a block, and elements in its tile.
const BLOCK: usize = 64;
const TILE: usize = 2 * BLOCK;

/// Scans each tile; `sums[b]` is the sum of block b's.
#[kernel]
pub(crate) fn scan_tiles(x: &[u32], before: &mut [u32], sums: &mut [u32]) {
    #[shared]
    let mut tile: [u32; TILE];
    let thread = thread_idx().x;
    let first = block_idx().x * TILE;
    for i in (thread..TILE).step_by(BLOCK) {
        tile[i] = if first + i < x.len() { x[first + i] } else { 0 };
    }
    let mut distance = 1;
    while distance < TILE {
        sync_threads();
        let node = 2 * distance * (thread + 1) - 1;
        if node < TILE {
            tile[node] += tile[node - distance];
        }
        distance *= 2;
    }
    if thread == 0 {
        sums[block_idx().x] = tile[TILE - 1];
        tile[TILE - 1] = 0;
    }
    while distance > 1 {
        distance /= 2;
        sync_threads();
        let node = 2 * distance * (thread + 1) - 1;
        if node < TILE {
            let left = tile[node - distance];
            tile[node - distance] = tile[node];
            tile[node] += left;
        }
    }
    sync_threads();
    for i in (thread..TILE).step_by(BLOCK) {
        if first + i < x.len() {
            before[first + i] = tile[i];
        }
    }
}

#[kernel]
pub(crate) fn add_sums(sums: &[u32], before: &mut [u32]) {
    let i = global_id();
    if i < before.len() {
        before[i] += sums[i / TILE];
    }
}

pub(crate) fn run(gpu: &dyn Machine) -> Result<Report, LaunchError> {
    let x = Random::new(4).numbers(1500, 1000);
    let blocks = x.len().div_ceil(TILE);
    let (mut before, mut sums, mut sums_before, mut sum) = (vec![0; x.len()], vec![0; blocks], vec![0; blocks], [0]);
    let mut report = gpu.launch(Grid::new(blocks, BLOCK), scan_tiles(&x, &mut before, &mut sums))?;
    report.merge(&gpu.launch(Grid::new(1, BLOCK), scan_tiles(&sums, &mut sums_before, &mut sum))?);
    report.merge(&gpu.launch(Grid::covering(x.len(), BLOCK), add_sums(&sums_before, &mut before))?);

    let running = x.iter().scan(0, |sum, &x| {
        *sum += x;
        Some(*sum - x)
    });
    assert_eq!(before, running.collect::<Vec<_>>());
    assert_eq!(sum, [x.iter().sum::<u32>()]);
    Ok(report)
}
