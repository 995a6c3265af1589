use simt::prelude::*;

#[kernel]
fn wrong(a: f32, out: &mut [u32]) {
    let mut sum: u32 = 0;
    sum += a;
    out[0] += sum;
}

fn main() {}
