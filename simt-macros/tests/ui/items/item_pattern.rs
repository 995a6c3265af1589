use simt::prelude::*;

#[kernel]
fn wrong([a, b]: [u32], out: &mut [u32]) {
    out[0] = a + b;
}

#[device]
fn never((0, b): (u32, u32)) -> u32 {
    b
}

#[kernel]
fn refutable(x: &[(u32, f32)], out: &mut [f32]) {
    let (3, y) = x[0];
    out[0] = y;
}

fn main() {}
