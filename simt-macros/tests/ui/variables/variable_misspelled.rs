use simt::prelude::*;

#[kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let index = global_id();
    if index < x.len() { out[index] = x[indx] * 2.0; }
}

fn main() {}
