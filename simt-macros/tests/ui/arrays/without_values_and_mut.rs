use simt::prelude::*;

#[kernel]
fn k(x: &mut [u32]) {
    let a: [u32; 4];
    x[0] = a[1];
}

fn main() {}
