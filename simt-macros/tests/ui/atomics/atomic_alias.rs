use simt::prelude::*;
use std::sync::atomic::{AtomicU32 as Counter, Ordering::Relaxed};

type Flag = std::sync::atomic::AtomicU32;

#[kernel]
fn counted(total: &mut [Counter]) {
    total[0].fetch_add(1, Relaxed);
}

#[kernel]
fn flagged(flags: &mut [Flag]) {
    flags[0].store(1, Relaxed);
}

fn main() {}
