use simt::prelude::*;

#[device]
fn bump(n: &mut u32) {
    *n += 1;
}

#[kernel]
fn wrong(out: &mut [u32]) {
    let mut n = 1;
    bump(n);
    out[0] = n;
}

fn main() {}
