use simt::prelude::*;

#[kernel]
fn wrong(a: impl Num, out: &mut [u32]) {
    out[0] = a as u32;
}

fn main() {}
