use simt::prelude::*;

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    let (a, b): (u32, f32) = (n, n);
    out[0] = a + b as u32;
}

fn main() {}
