use simt::prelude::*;
use std::sync::atomic::{AtomicU32 as Counter, Ordering::Relaxed};

#[kernel]
fn wrong(hist: &mut [Counter]) {
    hist[0].fetch_add(1, Relaxed);
}

fn main() {}
