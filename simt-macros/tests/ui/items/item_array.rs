use simt::prelude::*;

#[kernel]
fn wrong(x: [f32; 4], out: &mut [f32]) {
    out[0] = x[0];
}

fn main() {}
