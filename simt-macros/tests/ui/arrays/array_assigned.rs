use simt::prelude::*;

#[kernel]
fn wrong(out: &mut [u32]) {
    let mut a = [0; 4];
    a = [1; 4];
    out[0] = a[0];
}

fn main() {}
