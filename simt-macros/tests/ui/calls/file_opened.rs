use simt::prelude::*;

use std::fs::File;
#[kernel]
fn k(out: &mut [u32]) {
    let i = global_id();
    let f = File::open("x").unwrap();
    out[i] = 1;
}

fn main() {}
