use simt::prelude::*;

#[kernel]
fn wrong(x: &[u32], out: &mut [u32]) {
    let mut count = 0;
    for v in x {
        count += *v > 3;
    }
    out[0] = count;
}

fn main() {}
