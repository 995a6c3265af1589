use simt::prelude::*;

#[kernel]
fn wrong(x: &[u32]) {
    x.store_cg(0, 1);
}

fn main() {}
