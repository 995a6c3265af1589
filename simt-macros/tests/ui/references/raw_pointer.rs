use simt::prelude::*;

#[kernel]
fn k(x: *const f32, out: &mut [f32]) {
    let i = global_id();
    out[i] = *x.add(i);
}

fn main() {}
