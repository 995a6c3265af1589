use simt::prelude::*;

#[kernel]
fn wrong(n: u32, out: &mut [f32]) {
    let a: f32 = n;
    out[0] = a;
}

fn main() {}
