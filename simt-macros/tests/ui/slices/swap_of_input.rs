use simt::prelude::*;

#[kernel]
fn wrong(x: &[u32], y: &mut [u32]) {
    x.swap(0, 1);
    y.swap(0, 1);
}

fn main() {}
