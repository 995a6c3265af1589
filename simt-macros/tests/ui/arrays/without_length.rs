use simt::prelude::*;

#[kernel]
fn k(x: &mut [u32]) {
    let mut own: [u32];
    own[0] = x[0];
}

fn main() {}
