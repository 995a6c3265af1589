use simt::prelude::*;

#[kernel]
fn wrong(#[constant] table: &mut [u32]) {
    table[0] = 1;
}

fn main() {}
