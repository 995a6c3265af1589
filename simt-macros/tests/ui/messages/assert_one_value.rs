use simt::prelude::*;

#[kernel]
fn wrong(n: u32) {
    assert_eq!(n);
}

fn main() {}
