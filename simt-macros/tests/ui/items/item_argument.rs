use simt::prelude::*;

#[kernel(warp = 32)]
fn wrong(out: &mut [u32]) {
    out[0] = 1;
}

fn main() {}
