use simt::prelude::*;

#[kernel]
fn wrong(x: &[f32], out: &mut [f32]) {
    let (c, r) = global_id_2d();
    out[r] = x[r][c];
}

fn main() {}
