use simt::prelude::*;

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    let pair = (n, n) + 1;
    out[0] = pair.0;
}

fn main() {}
