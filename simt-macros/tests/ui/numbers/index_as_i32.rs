use simt::prelude::*;

#[kernel]
fn wrong(x: &[f32], out: &mut [f32]) {
    let i = global_id() as i32 - 1;
    out[0] = x[i];
}

fn main() {}
