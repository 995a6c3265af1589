use simt::prelude::*;

#[kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let i = global_id();
    let sum = 0.0;
    for k in 0..x.len() { sum += x[k]; }
    out[i] = sum;
}

fn main() {}
