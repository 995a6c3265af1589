use simt::prelude::*;

#[kernel]
fn wrong(out: &mut [u32]) {
    #[shared]
    let tile: [u32; 16];
    tile[0] = 1;
    out[0] = tile[0];
}

fn main() {}
