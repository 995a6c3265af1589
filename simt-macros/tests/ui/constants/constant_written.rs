use simt::prelude::*;

#[kernel]
fn wrong(#[constant] table: &[u32]) {
    table[0] = 1;
}

fn main() {}
