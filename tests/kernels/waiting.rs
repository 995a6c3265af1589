//! Kernels whose threads wait for each other: those of the page on termination. `studies` has them, too.

use simt::prelude::*;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

/// ESOP'12 Program 2.
#[kernel]
pub(crate) fn program_2(lock: &[AtomicU32]) {
    if global_id() == 0 {
        lock[0].store(1, Release);
    } else {
        while lock[0].load(Acquire) != 1 {}
    }
}

/// The same with something behind it: there both paths meet.
#[kernel]
pub(crate) fn program_2_and_more(lock: &[AtomicU32]) {
    if global_id() == 0 {
        lock[0].store(1, Release);
    } else {
        while lock[0].load(Acquire) != 1 {}
    }
    lock[0].fetch_add(0, Relaxed);
}

/// The same with its arms the other way round.
#[kernel]
pub(crate) fn program_2_swapped(lock: &[AtomicU32]) {
    if global_id() != 0 {
        while lock[0].load(Acquire) != 1 {}
    } else {
        lock[0].store(1, Release);
    }
}

/// ESOP'12 Program 3.
#[kernel]
pub(crate) fn program_3(lock: &[AtomicU32]) {
    while lock[0].load(Acquire) != global_id() as u32 {}
    lock[0].fetch_add(1, Release);
}

/// ESOP'12 Program 4.
#[kernel]
pub(crate) fn program_4(lock: &[AtomicU32], threads: u32) {
    while lock[0].load(Acquire) != threads {
        if lock[0].load(Relaxed) == global_id() as u32 {
            lock[0].fetch_add(1, Release);
        }
    }
}

/// A lock whose holder waits behind the loop.
#[kernel]
pub(crate) fn lock_before(lock: &[AtomicU32]) {
    while lock[0].compare_exchange(0, 1, Acquire, Relaxed).is_err() {}
    lock[0].store(0, Release);
}

/// A lock that is given back in the loop.
#[kernel]
pub(crate) fn lock_inside(lock: &[AtomicU32]) {
    let mut done = false;
    while !done {
        if lock[0].compare_exchange(0, 1, Acquire, Relaxed).is_ok() {
            lock[0].store(0, Release);
            done = true;
        }
    }
}

/// The same, with the section in the `else`.
#[kernel]
pub(crate) fn lock_inside_else(lock: &[AtomicU32]) {
    let mut done = false;
    while !done {
        if lock[0].compare_exchange(0, 1, Acquire, Relaxed).is_err() {
            done = false;
        } else {
            lock[0].store(0, Release);
            done = true;
        }
    }
}

/// The programs of the table, by column.
pub(crate) const PROGRAMS: [fn(&[AtomicU32]) -> KernelCall<'_>; 7] = [
    |lock| program_2(lock),
    |lock| program_2_swapped(lock),
    |lock| program_3(lock),
    // What is sufficient is not necessary: Lemma 6.
    |lock| program_4(lock, 32),
    |lock| lock_before(lock),
    |lock| lock_inside(lock),
    |lock| lock_inside_else(lock),
];
