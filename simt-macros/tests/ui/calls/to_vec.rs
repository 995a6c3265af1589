use simt::prelude::*;

#[kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let i = global_id();
    let copy = x.to_vec();
    out[i] = copy[i];
}

fn main() {}
