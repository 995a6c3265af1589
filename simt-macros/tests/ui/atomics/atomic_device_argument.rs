use simt::prelude::*;
use std::sync::atomic::{AtomicI32, AtomicU32, Ordering::Relaxed};

#[device]
fn lock(locks: &[AtomicU32], i: usize) {
    while locks[i].swap(1, Relaxed) == 1 {}
}

#[device]
fn total(x: &[u32]) -> u32 {
    x[0] + x[1]
}

#[device]
fn clear(x: &mut [u32]) {
    x[0] = 0;
}

#[kernel]
fn wrong(x: &mut [u32], counts: &[AtomicU32], signed: &[AtomicI32]) {
    lock(x, 0);
    lock(signed, 0);
    x[0] = total(counts);
    clear(counts);
}

fn main() {}
