use simt::prelude::*;

#[kernel]
fn wrong(out: &mut [u32]) {
    fn one() -> u32 {
        1
    }
    out[0] = 1;
}

fn main() {}
