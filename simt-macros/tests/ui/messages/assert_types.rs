use simt::prelude::*;

#[kernel]
fn wrong(n: u32) {
    assert_eq!(n, 1.0);
}

fn main() {}
