use simt::prelude::*;

#[kernel]
fn k(x: &mut [u32]) {
    x[0] = x[1](2);
}

fn main() {}
