use simt::prelude::*;

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    let mut x = n;
    let a = &mut x;
    let b = &mut x;
    *a += 1;
    *b += 1;
    out[0] = x;
}

#[kernel]
fn halves(out: &mut [u32]) {
    let low = &mut out[..2];
    let high = &mut out[2..];
    low[0] = 1;
    high[0] = 2;
}

fn main() {}
