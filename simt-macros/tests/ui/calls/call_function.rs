use simt::prelude::*;

#[expect(dead_code)]
fn double(n: u32) -> u32 {
    2 * n
}

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    out[0] = double(n);
}

fn main() {}
