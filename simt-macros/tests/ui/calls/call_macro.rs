use simt::prelude::*;

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    print!("{n}");
    out[0] = n;
}

fn main() {}
