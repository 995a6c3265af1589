use simt::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

#[kernel]
fn wrong(hist: &[AtomicU32], out: &mut [u32]) {
    out[0] = hist[0].compare_exchange(0, 1, Relaxed, Relaxed);
}

fn main() {}
