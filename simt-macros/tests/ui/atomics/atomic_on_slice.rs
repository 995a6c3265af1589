use simt::prelude::*;
use std::sync::atomic::Ordering::Relaxed;

#[kernel]
fn wrong(out: &mut [u32]) {
    out[0].fetch_add(1, Relaxed);
}

fn main() {}
