use simt::prelude::*;

#[device]
fn total(x: &[f32]) {
    let mut sum = 0.0;
    for k in 0..x.len() { sum += x[k]; }
    sum
}
#[kernel]
fn k(x: &[f32], out: &mut [f32]) { out[global_id()] = total(x); }

fn main() {}
