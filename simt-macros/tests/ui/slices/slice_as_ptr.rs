use simt::prelude::*;

#[kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let i = global_id();
    let p = x.as_ptr();
    out[i] = x[i];
}

fn main() {}
