use simt::prelude::*;

#[kernel]
fn lengths(out: &mut [u32]) {
    let v = [1, 2, 3];
    let [a, b] = v;
    out[0] = a + b;
}

#[kernel]
fn assigned(out: &mut [u32]) {
    let v = [1, 2, 3];
    let mut w = [1, 2];
    w = v;
    out[0] = w[0];
}

#[kernel]
fn read_only(out: &mut [u32]) {
    let v = [1, 2, 3];
    let w = v;
    w[0] = 5;
    out[0] = w[0];
}

#[kernel]
fn passed(out: &mut [u32]) {
    out[0] = sum([1, 2]);
}

#[device]
fn sum(a: [u32; 3]) -> u32 {
    a[0] + a[1]
}

fn main() {}
