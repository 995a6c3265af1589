use simt::prelude::*;

#[kernel]
fn k(x: &[f32], out: &mut [u32]) {
    let i = global_id();
    out[i] = 1 << x[i];
}

fn main() {}
