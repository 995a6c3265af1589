use simt::prelude::*;

#[kernel]
fn wrong(out: &mut [u32]) {
    let (a, b) = ([0; 16], 1);
    let _ = [1, 2];
    out[0] = b;
}

fn main() {}
