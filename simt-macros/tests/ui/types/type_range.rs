use simt::prelude::*;

#[kernel]
fn wrong(a: f32, out: &mut [u32]) {
    for i in 0.0..a {
        out[0] = i;
    }
}

fn main() {}
