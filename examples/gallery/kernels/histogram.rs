//! Histogram: how often each byte occurs.
//!
//! A block counts in shared atomics and adds its counts to those of the grid at the end, as in Podlozhnyuk, "Histogram
//! calculation in CUDA". Without divergence: lanes that hit the same bin wait for each other inside of the atomic unit,
//! which costs no issue here.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use simt::prelude::*;

use super::input::Random;
use super::machine::Machine;

const BINS: usize = 256;

#[kernel]
pub(crate) fn histogram(bytes: &[u8], counts: &[AtomicU32]) {
    #[shared]
    let mine: [AtomicU32; BINS];
    let (thread, threads) = (thread_idx().x, block_dim().x);
    for bin in (thread..mine.len()).step_by(threads) {
        mine[bin].store(0, Relaxed);
    }
    sync_threads();
    for i in (global_id()..bytes.len()).step_by(grid_dim().x * threads) {
        mine[bytes[i] as usize].fetch_add(1, Relaxed);
    }
    sync_threads();
    for bin in (thread..mine.len()).step_by(threads) {
        counts[bin].fetch_add(mine[bin].load(Relaxed), Relaxed);
    }
}

pub(crate) fn run(gpu: &dyn Machine) -> Result<Report, LaunchError> {
    // The sum of two numbers: those in the middle occur more often.
    let mut random = Random::new(5);
    let bytes: Vec<u8> = (0..3000).map(|_| (random.below(128) + random.below(128)) as u8).collect();
    let counts = [const { AtomicU32::new(0) }; BINS];
    let report = gpu.launch(Grid::new(4, 64), histogram(&bytes, &counts))?;

    let mut expected = [0; BINS];
    bytes.iter().for_each(|&byte| expected[byte as usize] += 1);
    assert_eq!(counts.map(AtomicU32::into_inner), expected);
    Ok(report)
}
