use simt::prelude::*;

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    let mut x = [n; 4];
    let first = &x[0];
    x[1] = 4;
    out[0] = *first;
}

#[kernel]
fn read(n: u32, out: &mut [u32]) {
    let mut x = n;
    let a = &mut x;
    out[0] = x;
    *a += 1;
}

fn main() {}
