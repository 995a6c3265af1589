use simt::prelude::*;

#[kernel]
fn wrong(a: f32, out: &mut [f32]) {
    out[0] = f32::atan2(a);
}

fn main() {}
