use simt::prelude::*;

#[device]
fn exchange(a: &mut (u32, u32), b: &mut u32, c: &u32) {
    a.0 = *b;
    *b = *c;
    exchange(a, b, &*b);
}

#[kernel]
fn wrong(out: &mut [u32]) {
    let mut pair = (1, 2);
    let mut n = 3;
    exchange(&mut pair, &mut pair.0, &1);
    exchange(&mut pair, &mut n, &n);
    out[0] = pair.0;
}

fn main() {}
