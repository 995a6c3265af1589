use simt::prelude::*;

fn square(x: f32) -> f32 {
    x * x
}

#[kernel]
fn wrong(x: &[f32], out: &mut [f32]) {
    out[0] = square(x[0]);
}

fn main() {}
