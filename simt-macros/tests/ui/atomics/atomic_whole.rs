use simt::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

#[kernel]
fn wrong(hist: &[AtomicU32], out: &mut [u32]) {
    hist.fetch_add(1, Relaxed);
}

fn main() {}
