use simt::prelude::*;

#[device]
fn twice(x: u32) -> u32 {
    2 * x
}

#[kernel]
fn k(n: u32, x: &mut [u32], y: &mut [f32]) {
    const OPS: [fn(u32) -> u32; 2] = [twice, twice];
    x[0] = OPS[1](y[0]);
    x[0] = OPS[n](x[0]);
    y[0] = OPS[0](x[0]);
}

fn main() {}
