use simt::prelude::*;

#[kernel]
fn wrong(x: &[u32], out: &mut [u32]) {
    let [a, b] = x;
    out[0] = a + b;
}

fn main() {}
