use simt::prelude::*;

#[kernel]
fn wrong<'a>(out: &mut [u32]) {
    out[0] = 1;
}

fn main() {}
