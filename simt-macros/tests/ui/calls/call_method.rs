use simt::prelude::*;

#[kernel]
fn wrong(a: f32, out: &mut [f32]) {
    out[0] = a.erf();
}

fn main() {}
