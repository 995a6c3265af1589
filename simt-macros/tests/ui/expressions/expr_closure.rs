use simt::prelude::*;

#[device]
fn twice(x: u32) -> u32 {
    2 * x
}

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    let double = |n: u32| 2 * n;
    out[0] = double(1.5);
    let half = |n: u32| n * 0.5;
    out[2] = half(n);
    out[0] = twice(double);
    out[2] = twice(|n: u32| n);
}

#[kernel]
fn also_wrong(n: u32, out: &mut [u32]) {
    let double = |n: u32| 2 * n;
    out[1] = double(1, 2);
    let early = |n: Option<u32>| n? + 1;
    out[1] = early(Some(n));
    out[2] = double;
}

fn main() {}
