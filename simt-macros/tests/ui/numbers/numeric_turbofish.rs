use simt::prelude::*;

#[kernel]
fn wrong(a: f32, out: &mut [f32]) {
    out[0] = a.max::<f32>(1.0);
}

fn main() {}
