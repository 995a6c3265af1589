use simt::prelude::*;

#[kernel]
fn wrong(text: String, out: &mut [u32]) {
    out[0] = 1;
}

fn main() {}
