use simt::prelude::*;

#[kernel]
fn k(x: &[f32], out: &mut [f32], n: u32) {
    let i = global_id();
    let mut sum = 0.0;
    for k in 0..n { sum += x[k]; }
    out[i] = sum;
}

fn main() {}
