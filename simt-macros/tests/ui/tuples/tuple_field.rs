use simt::prelude::*;

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    let pair = (n, n);
    out[0] = pair.2;
}

fn main() {}
