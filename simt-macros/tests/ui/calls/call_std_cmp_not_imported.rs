use simt::prelude::*;

#[kernel]
fn wrong(x: &mut [u32]) {
    x[0] = cmp::max(x[0], x[1]);
}

fn main() {}
