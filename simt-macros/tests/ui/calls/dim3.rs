use simt::prelude::*;

#[kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let d = dim3(1, 2, 3);
    out[0] = x[0];
}

fn main() {}
