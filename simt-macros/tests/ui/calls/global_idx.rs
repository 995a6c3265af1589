use simt::prelude::*;

#[kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let i = global_idx();
    out[i] = x[i];
}

fn main() {}
