use simt::prelude::*;

#[kernel]
fn wrong(a: f32, n: u32, out: &mut [u32]) {
    if a < n {
        out[0] = n;
    }
}

fn main() {}
