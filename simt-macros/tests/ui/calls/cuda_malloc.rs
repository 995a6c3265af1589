use simt::prelude::*;

#[kernel]
fn copied(x: &[f32], out: &mut [f32]) {
    let i = global_id();
    let p = malloc(4);
    out[i] = x[i];
}

fn main() {}
