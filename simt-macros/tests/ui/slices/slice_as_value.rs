use simt::prelude::*;

#[kernel]
fn wrong(x: &[u32], out: &mut [u32]) {
    let y = x;
    out[0] = 1;
}

fn main() {}
