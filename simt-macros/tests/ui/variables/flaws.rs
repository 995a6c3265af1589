#![deny(unused)]

use simt::prelude::*;

#[device]
fn wrong(x: u32) -> u32 {
    if x > 3 {
        return 1;
        x + 2
    } else {
        let mut y = x;
        y
    }
}

#[must_use = "it is all there is"]
#[device]
fn double<T: Int>(x: T) -> T {
    x + x
}

#[device]
fn quiet(x: u32) -> u32 {
    x
}

#[kernel]
fn wrong_too(x: &[u32], out: &mut [u32]) {
    let i = global_id();
    let mut a = x[i];
    #[allow(unused_mut)]
    let mut allowed = x[i];
    let mut items = x.iter();
    double(x[i]);
    quiet(double(x[i]));
    let _ = double(x[i]);
    for k in 0..4 {
        out[i] += wrong(a + 1) + allowed + *items.next().unwrap();
        if k == 2 {
            continue;
            out[i] = 1;
        }
    }
}

fn main() {
    let _ = wrong_too::program();
}
