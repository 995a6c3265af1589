use simt::prelude::*;

#[kernel]
fn wrong(out: &mut [u32]) {
    static N: u32 = 3;
    out[0] = N;
}

fn main() {}
