//! A ticket lock: threads enter the critical section in the order in which they came (Mellor-Crummey and Scott 1991).
//!
//! As `spin_lock`, it is written so that a lane serves the next one before it is waited for: the section is inside the loop,
//! in the `else`. In lockstep this costs a turn of the loop a lane.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use simt::prelude::*;

/// `lock[0]` is the next ticket, `lock[1]` the one that is served; `entered` has the threads in the order in which they
/// came, and `waited` for how many turns.
#[kernel]
pub(crate) fn enter(lock: &[AtomicU32], entered: &mut [u32], entries: &mut [u32], waited: &mut [u32]) {
    let ticket = lock[0].fetch_add(1, Relaxed);
    let (mut turns, mut done) = (0, false);
    while !done {
        if lock[1].load(Acquire) != ticket {
            turns += 1;
        } else {
            entered[entries[0] as usize] = ticket;
            entries[0] += 1;
            lock[1].store(ticket + 1, Release);
            done = true;
        }
    }
    waited[ticket as usize] = turns;
}

/// The textbook's: the thread that is served waits behind the loop for those that are served later.
#[cfg(test)]
#[kernel]
pub(crate) fn enter_naively(lock: &[AtomicU32], entered: &mut [u32], entries: &mut [u32]) {
    let ticket = lock[0].fetch_add(1, Relaxed);
    while lock[1].load(Acquire) != ticket {}
    entered[entries[0] as usize] = ticket;
    entries[0] += 1;
    lock[1].store(ticket + 1, Release);
}

pub(crate) fn run<P: Policy>(gpu: &Gpu<P>) -> Result<Report, LaunchError> {
    let (blocks, threads) = (2, 64);
    let lock = [AtomicU32::new(0), AtomicU32::new(0)];
    let (mut entered, mut entries) = (vec![u32::MAX; blocks * threads], [0]);
    let mut waited = entered.clone();
    let report = gpu.launch(Grid::new(blocks, threads), enter(&lock, &mut entered, &mut entries, &mut waited))?;
    let all = (blocks * threads) as u32;
    assert_eq!(entered, (0..all).collect::<Vec<_>>());
    assert_eq!(lock.map(AtomicU32::into_inner), [all, all]);
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One lane of a warp leaves in each turn, and the warps come one after the other.
    #[test]
    fn in_lockstep_a_lane_waits_a_turn_for_each_before_it() -> Result<(), LaunchError> {
        for lanes in [8, 32] {
            let lock = [AtomicU32::new(0), AtomicU32::new(0)];
            let (mut entered, mut entries, mut waited) = ([0; 64], [0], [0; 64]);
            let gpu = Gpu::<Ipdom>::default().with_warp_width(lanes);
            gpu.launch(Grid::new(1, 64), enter(&lock, &mut entered, &mut entries, &mut waited))?;
            assert!(waited.iter().zip(0..).all(|(&turns, ticket)| turns == ticket % lanes as u32), "{waited:?}");
        }
        Ok(())
    }

    fn run_naively<P: Policy>() -> Result<Report, LaunchError> {
        let (lock, mut entered, mut entries) = ([AtomicU32::new(0), AtomicU32::new(0)], [0; 32], [0]);
        Gpu::<P>::default().launch(Grid::new(1, 32), enter_naively(&lock, &mut entered, &mut entries))
    }

    #[test]
    fn the_naive_lock_hangs_where_lanes_wait_for_those_that_spin() {
        assert!(matches!(run_naively::<Ipdom>(), Err(LaunchError::Livelock(_))));
        assert!(matches!(run_naively::<TokenStack>(), Err(LaunchError::Livelock(_))));
        // The loop is at a lower address than what follows it.
        assert!(matches!(run_naively::<MinPc>(), Err(LaunchError::Livelock(_))));
    }
}
