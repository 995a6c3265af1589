use simt::prelude::*;

#[kernel]
fn k(keys: &[u32], out: &mut [u32]) {
    let i = global_id();
    out[keys[i]] += 1;
}

fn main() {}
