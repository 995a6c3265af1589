use simt::prelude::*;
use std::sync::atomic::AtomicU32;

#[kernel]
fn wrong(hist: &[AtomicU32], out: &mut [u32]) {
    hist[0].fetch_add(out[0], Relaxed);
}

fn main() {}
