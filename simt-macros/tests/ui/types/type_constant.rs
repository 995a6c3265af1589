use simt::prelude::*;

const NAME: &str = "name";

#[kernel]
fn wrong(out: &mut [u32]) {
    out[0] = NAME;
}

fn main() {}
