use simt::prelude::*;

#[kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let i = global_id();
    let fs: [fn(f32) -> f32; 2] = [f32::sin, f32::cos];
    out[i] = fs[i % 2](x[i]);
}

fn main() {}
