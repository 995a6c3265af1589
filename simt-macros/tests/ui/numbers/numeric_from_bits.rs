use simt::prelude::*;

#[kernel]
fn wrong(n: u64, out: &mut [f32]) {
    out[0] = f32::from_bits(n);
}

fn main() {}
