use simt::prelude::*;

use std::time::Instant;
#[kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let i = global_id();
    let start = Instant::now();
    out[i] = start.elapsed().as_secs_f32();
}

fn main() {}
