use simt::prelude::*;

#[kernel]
fn k(x: &[u32], out: &mut [u32]) {
    let i = global_id();
    if x[i] & 1 { out[i] = 1; }
}

fn main() {}
