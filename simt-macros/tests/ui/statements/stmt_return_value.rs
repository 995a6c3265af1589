use simt::prelude::*;

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    if n > 3 {
        return n;
    }
    out[0] = n;
}

fn main() {}
