use simt::prelude::*;

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    let text: String = n;
    out[0] = n;
}

fn main() {}
