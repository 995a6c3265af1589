use simt::prelude::*;

#[device]
fn square(x: f32) -> f32 { x * x }
#[kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let i = global_id();
    out[i] = sqare(x[i]);
}

fn main() {}
