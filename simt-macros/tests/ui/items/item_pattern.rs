use simt::prelude::*;

#[kernel]
fn wrong((a, b): (u32, u32), out: &mut [u32]) {
    out[0] = a + b;
}

fn main() {}
