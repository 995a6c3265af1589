use simt::prelude::*;

#[kernel]
fn k(x: &[f32], out: &mut [f32], n: u32) {
    let i = global_id();
    if i < n { out[i] = x[i]; }
}

fn main() {}
