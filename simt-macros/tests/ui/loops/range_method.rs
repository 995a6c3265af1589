use simt::prelude::*;

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    for i in (0..n).skip(3) {
        out[0] = i;
    }
}

fn main() {}
