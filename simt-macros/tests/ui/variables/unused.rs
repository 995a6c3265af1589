#![deny(unused)]

use simt::prelude::*;

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    let i = global_id();
    let m = 1;
    out[0] = 2;
    for k in 0..4 {
        out[1] = 3;
    }
}

fn main() {
    let _ = wrong::program();
}
