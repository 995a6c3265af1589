use simt::prelude::*;

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    if let 1.5 = n {
        out[0] = n;
    }
}

fn main() {}
