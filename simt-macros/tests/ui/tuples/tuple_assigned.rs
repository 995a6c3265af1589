use simt::prelude::*;

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    let (a, mut b) = (n, n);
    (a, b) = (b, a);
    out[0] = a + b;
}

fn main() {}
