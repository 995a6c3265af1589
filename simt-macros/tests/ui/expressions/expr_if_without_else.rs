use simt::prelude::*;

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    out[0] = if n > 3 { n };
}

fn main() {}
