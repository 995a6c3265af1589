use simt::prelude::*;
use std::sync::atomic::AtomicU32;

#[kernel]
fn wrong(hist: &[AtomicU32], out: &mut [u32]) {
    out[0] = hist[0];
}

fn main() {}
