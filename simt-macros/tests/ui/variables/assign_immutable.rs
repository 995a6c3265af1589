use simt::prelude::*;

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    let sum = n;
    sum += 1;
    out[0] = sum;
}

fn main() {}
