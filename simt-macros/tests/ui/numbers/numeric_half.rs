use simt::prelude::*;

#[kernel]
fn wrong(x: f32, out: &mut [f32]) {
    out[0] = x.to_f32();
}

fn main() {}
