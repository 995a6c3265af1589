use simt::prelude::*;

#[kernel]
fn wrong(n: u32, out: &mut [bool]) {
    out[0] = out[1] && n;
}

fn main() {}
