use simt::prelude::*;

#[device]
fn wrong(n: u32) -> (u32, f32) {
    (n, n)
}

fn main() {}
