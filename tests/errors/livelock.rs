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

/// One lane of a block waits for the next block.
#[kernel]
fn ahead(flags: &[AtomicU32]) {
    if thread_idx().x == 0 {
        while block_idx().x == 0 && flags[1].load(Acquire) == 0 {}
        flags[block_idx().x].store(1, Release);
    }
}

/// The same, of blocks that run at the same time.
#[kernel]
fn ahead_together(flags: &[AtomicU32]) {
    if thread_idx().x == 0 {
        while block_idx().x == 0 && flags[1].load(Acquire) == 0 {}
        flags[block_idx().x].store(1, Release);
    }
    sync_grid();
}

#[test]
fn what_waits_for_a_later_block_is_told_how_blocks_run() {
    let flags = || [(); 2].map(|()| AtomicU32::new(0));
    let gpu = Gpu::<Ipdom>::default();
    for threads in [1, 64] {
        let error = gpu.launch(Grid::new(2, threads), ahead(&flags())).unwrap_err();
        assert!(error.to_string().contains("a block cannot wait for a later one"), "{error}");
    }
    gpu.launch(Grid::new(2, 64), ahead_together(&flags())).expect("they run at the same time");
}
