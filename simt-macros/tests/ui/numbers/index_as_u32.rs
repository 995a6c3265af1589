use simt::prelude::*;

#[kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let i: u32 = global_id();
    out[0] = x[0];
}

fn main() {}
