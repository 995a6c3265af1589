use simt::prelude::*;

#[kernel]
fn wrong(out: &mut [f32]) {
    for x in 0.0..10.0 {
        out[0] += x;
    }
}

fn main() {}
