use simt::prelude::*;

#[kernel]
fn wrong(out: &mut [u32]) {
    let a = [0; 4];
    a[0] = out[1];
}

fn main() {}
