use simt::prelude::*;

#[kernel]
fn wrong(#[constant] n: u32, out: &mut [u32]) {
    out[0] = n;
}

fn main() {}
