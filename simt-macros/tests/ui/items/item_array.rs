use simt::prelude::*;
use std::sync::atomic::AtomicU32;

#[kernel]
fn wrong(x: [AtomicU32; 4], out: &mut [u32]) {
    out[0] = 1;
}

fn main() {}
