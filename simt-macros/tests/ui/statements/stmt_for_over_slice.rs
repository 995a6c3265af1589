use simt::prelude::*;

#[kernel]
fn wrong(x: &[u32], out: &mut [u32]) {
    for value in x {
        out[0] += value;
    }
}

fn main() {}
