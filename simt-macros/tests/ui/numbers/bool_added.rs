use simt::prelude::*;

#[kernel]
fn k(x: &[u32], out: &mut [u32]) {
    let i = global_id();
    out[i] = out[i] + (x[i] > 3);
}

fn main() {}
