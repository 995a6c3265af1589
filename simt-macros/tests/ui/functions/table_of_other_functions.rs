use simt::prelude::*;

#[device]
fn twice(x: u32) -> u32 {
    2 * x
}

#[device]
fn half(x: f32) -> f32 {
    x / 2.0
}

#[kernel]
fn k(x: &mut [u32]) {
    const OPS: [fn(u32) -> u32; 2] = [twice, half];
    x[0] = OPS[1](x[0]);
}

fn main() {}
