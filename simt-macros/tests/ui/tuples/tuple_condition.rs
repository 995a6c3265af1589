use simt::prelude::*;

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    if (n, n) == (1, 2) {
        out[0] = 1;
    }
}

fn main() {}
