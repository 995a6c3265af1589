use simt::prelude::*;

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    let m;
    for k in 0..n {
        m = k;
        out[0] += m;
    }
}

fn main() {}
