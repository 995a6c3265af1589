use simt::prelude::*;

#[kernel]
fn k(out: &mut [f32]) {
    let i = global_id();
    let mut rng = rand::rng();
    out[i] = rng.random();
}

fn main() {}
