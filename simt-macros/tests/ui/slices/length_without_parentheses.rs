use simt::prelude::*;

#[kernel]
fn wrong(x: &[f32], out: &mut [f32]) {
    let i = global_id();
    if i < x.len {
        out[i] = x[i];
    }
}

fn main() {}
