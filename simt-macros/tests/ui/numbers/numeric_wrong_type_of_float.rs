use simt::prelude::*;

#[kernel]
fn wrong(a: f32, out: &mut [f32]) {
    out[0] = a.pow(2);
}

fn main() {}
