use simt::prelude::*;

#[kernel]
fn wrong(out: &mut [u32]) {
    let a: u32 = [1, 2];
    out[0] = a;
}

fn main() {}
