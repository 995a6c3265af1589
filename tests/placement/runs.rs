//! The purpose of placement: lanes that meet, and locks that end.

use simt::prelude::*;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};

/// The join of the `if` is the head of the loop.
#[kernel]
fn if_then_while(p: &mut [u32]) {
    let i = global_id();
    if i % 2 == 0 {
        p[i] += 1;
    } else {
        p[i] += 2;
    }
    while p[i] < 40 {
        p[i] += 3;
    }
}

#[kernel]
fn if_then_lock(mutex: &[AtomicU32], p: &mut [u32]) {
    let i = global_id();
    if i % 2 == 0 {
        p[i] = 1;
    } else {
        p[i] = 2;
    }
    while mutex[0].compare_exchange(0, 1, Acquire, Relaxed).is_err() {}
    p[32] += p[i];
    mutex[0].swap(0, AcqRel);
}

#[kernel]
fn loop_under_lock(mutex: &[AtomicU32], p: &mut [u32]) {
    let i = global_id();
    while mutex[0].compare_exchange(0, 1, Acquire, Relaxed).is_err() {}
    let mut k = 0;
    while k < i % 4 {
        p.store_volatile(32, p.load_volatile(32) + 1);
        k += 1;
    }
    mutex[0].swap(0, AcqRel);
}

#[kernel]
fn nested_locks(outer: &[AtomicU32], inner: &[AtomicU32], p: &mut [u32]) {
    let i = global_id();
    while outer[i % 2].compare_exchange(0, 1, Acquire, Relaxed).is_err() {}
    while inner[0].compare_exchange(0, 1, Acquire, Relaxed).is_err() {}
    p[32] += 1;
    inner[0].swap(0, AcqRel);
    outer[i % 2].swap(0, AcqRel);
}

fn free() -> Vec<AtomicU32> {
    (0..2).map(|_| AtomicU32::new(0)).collect()
}

fn meets<P: Policy>() -> f64 {
    let mut p = vec![0; 32];
    let report = Gpu::<P>::default().launch(Grid::new(1, 32), if_then_while(&mut p));
    report.unwrap_or_else(|error| panic!("{error}")).simd_efficiency()
}

#[test]
fn lanes_of_an_if_meet_before_the_loop_behind_it() {
    let (barriers, hanoi, stack) = (meets::<ConvergenceBarriers>(), meets::<Hanoi>(), meets::<Ipdom>());
    assert!(barriers > 0.9 * stack && hanoi > 0.9 * stack, "{barriers} and {hanoi}, where the stack has {stack}");
}

#[test]
fn a_lock_behind_an_if_ends_under_hanoi() {
    let mut p = vec![0; 33];
    let launch = Gpu::<Hanoi>::default().launch(Grid::new(1, 32), if_then_lock(&free(), &mut p));
    launch.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(p[32], 48);
}

/// By the rules of the paper these end: the winner's path is the sibling of those that spin as long as the `bsync` of both is
/// behind the release (section VI-C), whatever loops stand between.
#[test]
fn a_loop_under_a_lock_ends_under_hanoi() {
    let mut p = vec![0; 33];
    let launch = Gpu::<Hanoi>::default().launch(Grid::new(1, 32), loop_under_lock(&free(), &mut p));
    launch.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(p[32], 48);
}

#[test]
fn nested_locks_end_under_hanoi() {
    let mut p = vec![0; 33];
    let launch = Gpu::<Hanoi>::default().launch(Grid::new(1, 32), nested_locks(&free(), &free(), &mut p));
    launch.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(p[32], 32);
}
