use simt::prelude::*;

use std::thread;
use std::time::Duration;
#[kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let i = global_id();
    thread::sleep(Duration::from_millis(1));
    out[i] = x[i];
}

fn main() {}
