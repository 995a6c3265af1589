use simt::prelude::*;

#[kernel]
fn k(x: &[Particle], out: &mut [f32]) {
    let i = global_id();
    out[i] = x[i].mass;
}

fn main() {}
