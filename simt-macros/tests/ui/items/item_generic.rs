use simt::prelude::*;

#[kernel]
fn wrong<T>(x: &[T], out: &mut [u32]) {
    out[x.len()] = 1;
}

fn main() {}
