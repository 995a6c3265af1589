use simt::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

#[kernel]
fn wrong(hist: &[AtomicU32], out: &mut [u32]) {
    hist[0].fetch_max(1.5, Relaxed);
}

fn main() {}
