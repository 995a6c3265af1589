use simt::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

#[device]
fn count(calls: &mut u32) {
    *calls += 1;
}

#[device]
fn next(counter: &AtomicU32) -> u32 {
    counter.fetch_add(1, Relaxed)
}

#[kernel]
fn wrong(x: &[u32], counters: &[AtomicU32], out: &mut [u32]) {
    count(&mut x[0]);
    count(&mut counters[0]);
    out[0] = next(&x[0]);
}

fn main() {}
