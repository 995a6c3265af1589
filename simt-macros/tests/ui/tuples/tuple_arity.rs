use simt::prelude::*;

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    let (a, b) = (n, n, n);
    out[0] = a + b;
}

fn main() {}
