use simt::prelude::*;

#[kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let i = global_id();
    out[i] = x[i] * 2;
}

fn main() {}
