use simt::prelude::*;

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    let mut i = 0;
    while i = n {
        i += 1;
    }
    out[0] = i;
}

fn main() {}
