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
