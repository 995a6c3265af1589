use simt::prelude::*;

#[kernel]
fn wrong(n: u32) {
    assert!(n);
}

fn main() {}
