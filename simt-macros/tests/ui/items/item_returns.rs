use simt::prelude::*;

#[kernel]
fn wrong(n: u32) -> u32 {
    let _m = n;
}

fn main() {}
