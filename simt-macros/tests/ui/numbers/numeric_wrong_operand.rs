use simt::prelude::*;

#[kernel]
fn wrong(a: f32, n: u32, out: &mut [f32]) {
    out[0] = a.min(n);
}

fn main() {}
