use simt::prelude::*;
use std::sync::atomic::AtomicU32;

#[kernel]
fn wrong(hist: &[AtomicU32], out: &mut [u32]) {
    hist[out[0] as usize] += 1;
}

fn main() {}
