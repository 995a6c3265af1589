use simt::prelude::*;

#[kernel]
fn wrong(out: &mut [u32]) {
    let a = [out[0], 2.0];
    out[0] = a[0];
}

fn main() {}
