use simt::prelude::*;

#[kernel]
fn wrong(a: f64, out: &mut [f32]) {
    out[0] = f32::from(a);
}

fn main() {}
