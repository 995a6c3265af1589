use simt::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

#[kernel]
fn wrong(flags: &[AtomicBool]) {
    flags[0].fetch_add(true, Relaxed);
}

fn main() {}
