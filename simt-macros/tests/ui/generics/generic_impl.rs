use simt::prelude::*;

#[kernel]
fn wrong(a: impl Iterator, out: &mut [u32]) {
    out[0] = a.count() as u32;
}

fn main() {}
