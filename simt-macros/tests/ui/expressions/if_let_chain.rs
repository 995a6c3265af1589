use simt::prelude::*;

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    if n > 3 || let 4..=9 = n {
        out[0] = n;
    }
}

fn main() {}
