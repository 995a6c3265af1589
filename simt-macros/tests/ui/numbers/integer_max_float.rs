use simt::prelude::*;

#[kernel]
fn k(x: &[i32], out: &mut [i32]) {
    let i = global_id();
    out[i] = x[i].max(0.0);
}

fn main() {}
