use simt::prelude::*;

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    let double = |n| 2 * n;
    out[0] = n;
}

fn main() {}
