use simt::prelude::*;
use std::sync::atomic::Ordering::Relaxed;

#[kernel]
fn wrong(sums: &[AtomicF32]) {
    sums[0].fetch_and(1.0, Relaxed);
}

fn main() {}
