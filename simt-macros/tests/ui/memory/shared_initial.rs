use simt::prelude::*;

#[kernel]
fn wrong(out: &mut [u32]) {
    #[shared]
    let mut tile: [u32; 16] = [0; 16];
    out[0] = tile[0];
}

fn main() {}
