//! A spin lock: threads of one warp, of other warps and of other blocks take turns in a critical section.
//!
//! What ends on a machine whose threads are independent may hang on one whose warps reconverge: see `naive`.
//! The section runs a lane at a time, so SIMD efficiency is hardly above 1 / warp width.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use simt::prelude::*;

/// Adds up all thread numbers; stores how often each thread tried in vain.
///
/// The section is inside the loop, and all lanes meet at the end of each turn: the lane that has the lock gives it back
/// before it waits for those that try again. It stands in the `else`, the side that those policies run first which run one
/// side to its end.
#[kernel]
pub(crate) fn careful(lock: &[AtomicU32], sum: &mut [u32], in_vain: &mut [u32]) {
    let (mut tries, mut done) = (0, false);
    while !done {
        if lock[0].compare_exchange(0, 1, Acquire, Relaxed).is_err() {
            tries += 1;
        } else {
            sum[0] += global_id() as u32;
            lock[0].store(0, Release);
            done = true;
        }
    }
    in_vain[global_id()] = tries;
}

/// The lock of every textbook on threads. A lane that takes it leaves the loop and waits behind it until the other lanes of
/// its warp have left, too, which spin until it gives the lock back.
#[cfg(test)]
#[kernel]
pub(crate) fn naive(lock: &[AtomicU32], sum: &mut [u32]) {
    while lock[0].compare_exchange(0, 1, Acquire, Relaxed).is_err() {}
    sum[0] += global_id() as u32;
    lock[0].store(0, Release);
}

pub(crate) fn run<P: Policy>(gpu: &Gpu<P>) -> Result<Report, LaunchError> {
    let (blocks, threads) = (3, 64);
    let lock = [AtomicU32::new(0)];
    let mut sum = [0];
    let mut in_vain = vec![0; blocks * threads];
    let report = gpu.launch(Grid::new(blocks, threads), careful(&lock, &mut sum, &mut in_vain))?;
    assert_eq!(sum, [(0..blocks * threads).sum::<usize>() as u32]);
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of the lanes of a warp that reconverge after each turn, one gets the lock in each turn.
    #[test]
    fn in_lockstep_the_last_lane_has_tried_once_for_each_other() -> Result<(), LaunchError> {
        for lanes in [8, 32] {
            let (lock, mut sum, mut in_vain) = ([AtomicU32::new(0)], [0], [0; 64]);
            let gpu = Gpu::<Ipdom>::default().with_warp_width(lanes);
            gpu.launch(Grid::new(1, 64), careful(&lock, &mut sum, &mut in_vain))?;
            for warp in in_vain.chunks_mut(lanes) {
                warp.sort_unstable();
                assert!(warp.iter().copied().eq(0..lanes as u32), "{warp:?}");
            }
        }
        Ok(())
    }

    fn run_naive<P: Policy>() -> Result<[u32; 1], LaunchError> {
        let mut sum = [0];
        Gpu::<P>::default().launch(Grid::new(1, 32), naive(&[AtomicU32::new(0)], &mut sum))?;
        Ok(sum)
    }

    #[test]
    fn the_naive_lock_hangs_where_lanes_wait_for_those_that_spin() {
        assert!(matches!(run_naive::<Ipdom>(), Err(LaunchError::Livelock(_))));
        assert!(matches!(run_naive::<TokenStack>(), Err(LaunchError::Livelock(_))));
        // The loop is at a lower address than what follows it.
        assert!(matches!(run_naive::<MinPc>(), Err(LaunchError::Livelock(_))));
    }

    #[test]
    fn the_naive_lock_ends_on_machines_since_volta() -> Result<(), LaunchError> {
        assert_eq!(run_naive::<Hanoi>()?, [496]);
        assert_eq!(run_naive::<ConvergenceBarriers>()?, [496]);
        Ok(())
    }
}
