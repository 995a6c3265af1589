use simt::prelude::*;

#[kernel]
fn k(x: &mut [u32]) {
    #[shared]
    let tile: [u32];
    tile[0] = x[0];
    #[shared]
    let mut other: [char];
    x[0] = tile;
}

fn main() {}
