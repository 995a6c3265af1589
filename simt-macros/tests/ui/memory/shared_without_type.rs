use simt::prelude::*;

#[kernel]
fn wrong(out: &mut [u32]) {
    #[shared]
    let mut tile;
    out[0] = tile[0];
}

fn main() {}
