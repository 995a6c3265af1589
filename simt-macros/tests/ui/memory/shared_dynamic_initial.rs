use simt::prelude::*;

#[kernel]
fn k(x: &mut [u32]) {
    #[shared]
    let tile: [u32];
    tile[0] = x[0];
    let mut own: [u32];
    own[0] = tile;
}

fn main() {}
