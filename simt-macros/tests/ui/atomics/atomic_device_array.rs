use simt::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

#[device]
fn wrong(locks: &[AtomicU32; 4], i: usize) {
    locks[i].store(0, Relaxed);
}

#[kernel]
fn right(out: &mut [u32]) {
    #[shared]
    let locks: [AtomicU32; 4];
    wrong(&locks, 0);
    out[0] = 1;
}

fn main() {}
