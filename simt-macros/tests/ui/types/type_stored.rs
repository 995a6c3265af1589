use simt::prelude::*;

#[kernel]
fn wrong(x: &[f32], out: &mut [u32]) {
    let i = global_id();
    out[i] = x[i];
}

fn main() {}
