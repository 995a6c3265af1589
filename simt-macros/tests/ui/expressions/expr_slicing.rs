use simt::prelude::*;

#[kernel]
fn wrong(x: &[u32], out: &mut [u32]) {
    out[0] = x[1..3];
}

fn main() {}
