use simt::prelude::*;

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    if n > 3 {
        break;
    }
    out[0] = n;
}

fn main() {}
