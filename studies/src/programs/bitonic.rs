//! Bitonic sort (K. E. Batcher, AFIPS 1968): a launch for each step, in which a thread owns an element, as in the CUDA samples.
//!
//! In a step over a distance of 2^j the threads whose bit j is 0 compare: for short distances half of the lanes of each warp,
//! always the same ones. Whether elements change places depends on them.

use simt::prelude::*;

use super::{Machine, Size};

#[kernel]
pub(crate) fn step(run: u32, distance: u32, keys: &mut [u32]) {
    let i = global_id() as u32;
    if i as usize >= keys.len() {
        return;
    }
    let other = i ^ distance;
    if other > i {
        let (mine, its) = (keys[i as usize], keys[other as usize]);
        if i & run == 0 {
            if mine > its {
                keys[i as usize] = its;
                keys[other as usize] = mine;
            }
        } else if mine < its {
            keys[i as usize] = its;
            keys[other as usize] = mine;
        }
    }
}

/// Launches the program, and compares with plain Rust.
pub(crate) fn run(machine: &mut dyn Machine, size: &Size) -> Result<(), LaunchError> {
    let (count, segment) = (1_usize << size.choose(7, 13, 19), size.choose(128, 512, 512_usize));
    let mut random = size.random(1968);
    let mut keys: Vec<u32> = (0..count).map(|_| random.bits()).collect();
    let mut expected = keys.clone();
    for run in 1..=segment.ilog2() {
        for distance in (0..run).rev() {
            machine.launch(size.grid(count), step(1 << run, 1 << distance, &mut keys))?;
        }
    }
    // Neighbouring segments are sorted in opposite directions.
    for (number, segment) in expected.chunks_mut(segment).enumerate() {
        segment.sort_unstable();
        if number % 2 == 1 {
            segment.reverse();
        }
    }
    assert_eq!(keys, expected);
    Ok(())
}
