use simt::prelude::*;

#[kernel]
fn wrong(x: &[u32]) {
    println!("{x:?}");
}

fn main() {}
