#![deny(warnings)]

use simt::prelude::*;

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    match n {
        0..=9 => out[0] = 1,
        3 => out[0] = 2,
        _ => out[0] = 3,
    }
}

fn main() {
    let mut out = [0];
    let _ = wrong(1, &mut out);
}
