use simt::prelude::*;

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    let m = n else { return };
    out[0] = m;
}

fn main() {}
