use simt::prelude::*;

#[kernel]
fn wrong(n: u64, k: u64, out: &mut [u64]) {
    out[0] = n.rotate_left(k);
}

fn main() {}
