use simt::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

#[kernel]
fn wrong(hist: &mut [AtomicU32]) {
    hist[0].fetch_add(1, Relaxed);
}

fn main() {}
