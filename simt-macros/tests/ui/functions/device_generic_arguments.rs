use simt::prelude::*;

#[device]
fn part<T: Int, const N: usize>(x: T) -> T {
    x / N as T
}

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    out[0] = part::<u32>(n);
}

fn main() {}
