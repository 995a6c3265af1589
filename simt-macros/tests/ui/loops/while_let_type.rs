use simt::prelude::*;

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    while let (0, k) = n {
        out[0] = k;
    }
}

fn main() {}
