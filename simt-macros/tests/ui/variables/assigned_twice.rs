use simt::prelude::*;

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    let m;
    if n > 1 {
        m = 1;
    } else {
        m = n;
    }
    out[0] = m;
    m = 3;
    out[1] = m;
}

fn main() {}
