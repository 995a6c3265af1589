use simt::prelude::*;

#[kernel]
fn wrong(n: usize, out: &mut [u32]) {
    let a = [0; n];
    out[0] = a[0];
}

fn main() {}
