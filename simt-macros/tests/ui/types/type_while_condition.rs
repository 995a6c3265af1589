use simt::prelude::*;

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    while n - 1 {
        out[0] = n;
    }
}

fn main() {}
