use simt::prelude::*;

#[device]
fn double(n: u32) -> u32 {
    2 * n
}

#[device]
fn sum(a: u32, b: u32) -> u32 {
    a + b
}

#[device]
fn zero() -> u32 {
    0
}

fn main() {
    let n = double(3);
    let n = sum(3, 4);
    let n = zero();
}
