use simt::prelude::*;

#[kernel]
fn wrong(out: &mut [u32]) {
    #[shared]
    let mut tile: [char; 16];
    out[0] = tile.len() as u32;
}

fn main() {}
