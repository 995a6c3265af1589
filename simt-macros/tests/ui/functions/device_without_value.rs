use simt::prelude::*;

#[device]
fn wrong(n: u32) -> u32 {
    let m = n;
}

fn main() {}
