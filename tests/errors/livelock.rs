//! Lanes that spin for ever.

use simt::prelude::*;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

#[kernel]
fn locked(lock: &[AtomicU32], sum: &mut [u32]) {
    while lock[0].compare_exchange(0, 1, Acquire, Relaxed).is_err() {}
    sum[0] += 1;
    lock[0].store(0, Release);
}

#[kernel]
fn flagged(flag: &mut [u32]) {
    let i = global_id();
    if i == 2 {
        flag[0] = 1;
    } else {
        while flag[0] == 0 {}
    }
}

#[test]
fn the_error_says_what_spins_on_what_and_what_waits() {
    let gpu = Gpu::<Ipdom>::default().with_warp_width(4);
    let error = gpu.launch(Grid::new(1, 8), locked(&[AtomicU32::new(0)], &mut [0])).unwrap_err();
    assert_shown!("livelock_lock", error);
    assert_eq!((error.line(), error.thread().map(|thread| thread.lane)), (Some(9), Some(1)));
}

#[test]
fn and_which_policies_would_do() {
    let mut flag = [0];
    let error =
        Gpu::<TokenStack>::default().with_warp_width(4).launch(Grid::new(1, 4), flagged(&mut flag)).unwrap_err();
    assert_shown!("livelock_flag", error);
    assert_eq!(flag, [0]);
}

/// The first block spins for ever if the second begins before it looks.
#[kernel]
fn alone(began: &[AtomicU32]) {
    if thread_idx().x == 0 {
        began[0].fetch_add(1, Relaxed);
    }
    let mut wait = 0;
    while wait < 100 {
        wait += 1;
    }
    while began[0].load(Relaxed) != block_idx().x as u32 + 1 {}
}

/// The policies are tried without a clock, where blocks come one after the other: there its own ends it, too.
#[test]
fn the_policies_that_are_named_are_other_ones() {
    let gpu = Gpu::<Ipdom>::new(GpuConfig::fermi()).with_progress_limit(1 << 16);
    let error = gpu.launch(Grid::new(2, 4), alone(&[AtomicU32::new(0)])).unwrap_err();
    let LaunchError::Livelock(livelock) = &error else { panic!("{error}") };
    assert!(livelock.ends_under.contains(&"Hanoi") && !livelock.ends_under.contains(&"Ipdom"), "{error}");
}
