//! Bitonic sort (Batcher 1968): each block sorts a tile in shared memory, of any type of numbers.
//!
//! As in the CUDA samples. The steps are the same for all data, and every thread compares in every step: what diverges is
//! only whether two elements swap.

use simt::prelude::*;

use super::input::Random;
use super::machine::Machine;

/// Elements in a tile, a power of two.
const TILE: usize = 256;

#[kernel]
pub(crate) fn sort_tiles<T: Num>(x: &mut [T]) {
    #[shared]
    let mut tile: [T; TILE];
    let thread = thread_idx().x;
    let first = block_idx().x * TILE;
    for i in (thread..TILE).step_by(TILE / 2) {
        tile[i] = x[first + i];
    }
    // Runs of 2^k become runs of 2^(k+1), by comparing over distances of 2^k, ..., 2, 1.
    for k in 0..TILE.ilog2() {
        for distance in (0..=k).rev() {
            sync_threads();
            let stride = 1 << distance;
            let low = 2 * thread - thread % stride;
            let high = low + stride;
            let ascending = low & (2 << k) == 0;
            if (tile[low] > tile[high]) == ascending {
                let smaller = tile[high];
                tile[high] = tile[low];
                tile[low] = smaller;
            }
        }
    }
    sync_threads();
    for i in (thread..TILE).step_by(TILE / 2) {
        x[first + i] = tile[i];
    }
}

pub(crate) fn run(gpu: &dyn Machine) -> Result<Report, LaunchError> {
    let mut random = Random::new(6);
    let (mut keys, mut floats) = (random.numbers(2 * TILE, 1000), random.floats(2 * TILE, -1.0, 1.0));
    let (mut sorted, mut sorted_floats) = (keys.clone(), floats.clone());
    let grid = Grid::new(2, TILE / 2);
    let mut report = gpu.launch(grid, sort_tiles(&mut keys))?;
    report.merge(&gpu.launch(grid, sort_tiles(&mut floats))?);

    sorted.chunks_mut(TILE).for_each(<[u32]>::sort_unstable);
    sorted_floats.chunks_mut(TILE).for_each(|tile| tile.sort_unstable_by(f32::total_cmp));
    assert_eq!(keys, sorted);
    assert_eq!(floats, sorted_floats);
    Ok(report)
}
