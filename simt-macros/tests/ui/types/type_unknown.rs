use simt::prelude::*;

#[kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let i = global_id();
    let p: Pont = x[i];
    out[i] = p;
}

fn main() {}
