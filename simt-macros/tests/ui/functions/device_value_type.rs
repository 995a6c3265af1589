use simt::prelude::*;

#[device]
fn wrong(n: u32) -> u32 {
    n > 3
}

fn main() {}
