use simt::prelude::*;

#[kernel]
fn wrong(out: &mut [u32]) {
    let a = [[[0; 2]; 3]; 4];
    out[0] = a[0][0][0];
}

fn main() {}
