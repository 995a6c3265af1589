use simt::prelude::*;

#[kernel]
fn wrong(#[shared] tile: &mut [u32], out: &mut [u32]) {
    out[0] = tile[0];
}

fn main() {}
