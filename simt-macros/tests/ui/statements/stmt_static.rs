use simt::prelude::*;

#[kernel]
fn wrong(out: &mut [u32]) {
    static mut N: u32 = 3;
    out[0] = 1;
}

fn main() {}
