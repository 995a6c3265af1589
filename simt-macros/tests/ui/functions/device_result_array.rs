use simt::prelude::*;

#[device]
fn wrong(n: u32) -> [u32; 2] {
    [n, n]
}

fn main() {}
