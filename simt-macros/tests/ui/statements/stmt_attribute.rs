use simt::prelude::*;

#[kernel]
fn wrong(out: &mut [u32]) {
    #[inline]
    let mut tile = 0;
    out[0] = tile;
}

fn main() {}
