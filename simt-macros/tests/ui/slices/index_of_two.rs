use simt::prelude::*;

#[kernel]
fn transposed(x: &[f32], width: usize, out: &mut [f32]) {
    let (column, row) = global_id_2d();
    out[column * width + row] = x[(row, column)];
}

fn main() {}
