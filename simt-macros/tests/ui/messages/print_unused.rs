use simt::prelude::*;

#[kernel]
fn wrong(n: u32) {
    println!("n", n);
}

fn main() {}
