//! A launch and the caller's memory: atomics under several names, concurrent launches, launches that panic.

mod aliases;
mod panics;
mod turns;

use simt::prelude::*;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

fn zeros(count: usize) -> Vec<AtomicU32> {
    (0..count).map(|_| AtomicU32::new(0)).collect()
}

fn values(atomics: &[AtomicU32]) -> Vec<u32> {
    atomics.iter().map(|atomic| atomic.load(Relaxed)).collect()
}

/// Each thread adds to one element.
#[kernel]
fn bump(counters: &[AtomicU32]) {
    counters[0].fetch_add(1, Relaxed);
}
