use simt::prelude::*;

#[device]
fn twice(x: u32) -> u32 {
    2 * x
}

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    let double = |n: u32| 2 * n;
    out[0] = double(1.5);
    out[1] = double(1, 2);
    let half = |n: u32| n * 0.5;
    out[2] = half(n);
}

#[kernel]
fn also_wrong(n: u32, out: &mut [u32]) {
    let double = |n: u32| 2 * n;
    out[0] = twice(double);
    let early = |n: u32| {
        if n > 3 {
            return 1;
        }
        n
    };
    out[1] = early(n);
    out[2] = twice(|n: u32| n);
}

fn main() {}
