use simt::prelude::*;

#[device]
fn twice(x: u32) -> u32 {
    2 * x
}

#[device]
const OPS: [fn(u32) -> u32; 3] = [twice, twice];

#[kernel]
fn k(x: &mut [u32]) {
    x[0] = OPS[1](x[0]);
}

fn main() {}
