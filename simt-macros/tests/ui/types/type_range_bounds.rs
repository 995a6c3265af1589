use simt::prelude::*;

#[kernel]
fn wrong(n: u32, x: &[u32], out: &mut [u32]) {
    for _ in n..x.len() {
        out[0] = n;
    }
}

fn main() {}
