use simt::prelude::*;

#[kernel]
fn wrong(n: u32) {
    n + 1
}

fn main() {}
