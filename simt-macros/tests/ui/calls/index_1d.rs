use simt::prelude::*;

#[kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let i = thread::index_1d() as usize;
    out[i] = x[i];
}

fn main() {}
