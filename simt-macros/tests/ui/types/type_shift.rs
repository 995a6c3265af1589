use simt::prelude::*;

#[kernel]
fn wrong(n: u32, a: f32, out: &mut [u32]) {
    out[0] = n << a;
}

fn main() {}
