use simt::prelude::*;

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    n = 3;
    out[0] = n;
}

fn main() {}
