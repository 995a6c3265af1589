use simt::prelude::*;

#[kernel]
fn wrong(n: u32) {
    println!("{n} {m}");
}

fn main() {}
