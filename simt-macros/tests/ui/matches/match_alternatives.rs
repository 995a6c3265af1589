use simt::prelude::*;

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    match (n, 3) {
        (0, k) | (k, 0) => out[0] = k,
        _ => out[0] = 2,
    }
}

fn main() {}
