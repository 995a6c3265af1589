use simt::prelude::*;

#[kernel]
fn k(x: &mut [usize]) {
    let (a, b, c) = global_id_2d();
    x[0] = global_id_2d().z;
    x[1] = global_id_2d();
    x[2] = global_id_3d(1).x;
    x[3] = a + b + c + warp_width;
}

fn main() {}
