use simt::prelude::*;

#[kernel]
fn wrong(out: &mut [u8]) {
    out[0] = 300;
}

fn main() {}
