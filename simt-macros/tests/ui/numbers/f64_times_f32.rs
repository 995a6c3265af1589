use simt::prelude::*;

#[kernel]
fn k(x: &[f32], scale: f64, out: &mut [f32]) {
    let i = global_id();
    out[i] = x[i] * scale;
}

fn main() {}
