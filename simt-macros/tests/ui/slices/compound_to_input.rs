use simt::prelude::*;

#[kernel]
fn wrong(x: &[u32]) {
    x[0] += 1;
}

fn main() {}
