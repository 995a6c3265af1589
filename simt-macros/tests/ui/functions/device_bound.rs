use simt::prelude::*;

#[device]
fn half<T: Float>(x: T) -> T {
    x * 0.5 as T
}

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    out[0] = half(n);
}

fn main() {}
