use simt::prelude::*;

#[device]
fn counted(n: u32) -> impl Iterator {
    0..n
}

#[device]
fn summed(items: impl Iterator<Item = u32>) -> u32 {
    items.sum()
}

fn main() {}
