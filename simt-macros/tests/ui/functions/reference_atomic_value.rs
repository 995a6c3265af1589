use simt::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

#[device]
fn next(counter: &AtomicU32, n: u32) -> u32 {
    n.fetch_add(1, Relaxed);
    *counter
}

#[kernel]
fn wrong(counter: &AtomicU32, out: &mut [u32]) {
    out[0] = next(counter, 1);
}

fn main() {}
