use simt::prelude::*;

#[device]
fn weighed(a: &[u32; 3]) -> u32 {
    a[0] + a[1] * 10 + a[2] * 100
}

#[device]
fn dot<const N: usize>(a: &[u32; N], b: &[u32; N]) -> u32 {
    a[0] * b[0]
}

#[kernel]
fn shorter(out: &mut [u32]) {
    let (a, b) = ([1, 2, 3], [1, 2]);
    let c = [1, 2];
    out[0] = weighed(&c) + dot(&a, &b);
}

fn main() {}
