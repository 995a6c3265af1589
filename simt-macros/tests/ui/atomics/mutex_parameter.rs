use simt::prelude::*;

use std::sync::Mutex;
#[kernel]
fn k(total: &Mutex<u32>, x: &[u32]) {
    let i = global_id();
    *total.lock().unwrap() += x[i];
}

fn main() {}
