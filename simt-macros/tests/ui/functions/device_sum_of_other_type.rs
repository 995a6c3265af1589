use simt::prelude::*;

#[device]
fn count(x: &[f32]) -> u32 {
    let mut sum = 0.0;
    for k in 0..x.len() { sum += x[k]; }
    sum
}
#[kernel]
fn k(x: &[f32], out: &mut [u32]) { out[global_id()] = count(x); }

fn main() {}
