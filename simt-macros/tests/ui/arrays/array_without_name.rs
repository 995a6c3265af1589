use simt::prelude::*;

#[kernel]
fn wrong(out: &mut [u32]) {
    out[0] = [1, 2, 3][1];
}

fn main() {}
