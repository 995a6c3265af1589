use simt::prelude::*;

#[kernel]
fn wrong(out: &mut [u32]) {
    let a = [1, 2];
    let b = a;
    out[0] = b[0];
}

fn main() {}
