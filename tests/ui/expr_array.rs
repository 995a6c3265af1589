use simt::prelude::*;

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    let tile = [0; 16];
    out[0] = n;
}

fn main() {}
