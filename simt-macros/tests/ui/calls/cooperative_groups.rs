use simt::prelude::*;

#[kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let g = cooperative_groups::this_grid();
    out[0] = x[0];
}

fn main() {}
