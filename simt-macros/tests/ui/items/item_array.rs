use simt::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

#[kernel]
fn wrong(x: [AtomicU32; 4], out: &mut [u32]) {
    out[0] = x[0].load(Relaxed);
}

fn main() {}
