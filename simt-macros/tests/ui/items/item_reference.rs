use simt::prelude::*;

#[kernel]
fn wrong(n: &u32, sum: &mut u32) {
    sum = n;
}

fn main() {}
