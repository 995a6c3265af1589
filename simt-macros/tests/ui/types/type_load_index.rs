use simt::prelude::*;

#[kernel]
fn wrong(n: u32, x: &[f32], out: &mut [f32]) {
    out[0] = x[n + 1];
}

fn main() {}
