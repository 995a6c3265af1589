use simt::prelude::*;

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
#[kernel]
fn k(x: &[usize], hits: &[AtomicU32]) {
    let i = global_id();
    hits[0].fetch_add(x[i], Relaxed);
}

fn main() {}
