use simt::prelude::*;

#[device]
fn scaled(n: u32, by: f32, x: &[u32], y: &mut [u32]) -> u32 {
    y[0] = n;
    x[n as usize] * by as u32
}

#[kernel]
fn wrong(n: u32, x: &[u32], out: &mut [u32]) {
    let result: f32 = scaled(n, 1.5, x, out);
    out[0] = result as u32;
}

fn main() {}
