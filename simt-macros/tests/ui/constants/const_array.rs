use simt::prelude::*;

const TABLE: [f32; 4] = [1.0, 2.0, 4.0, 8.0];

#[kernel]
fn wrong(x: &mut [f32]) {
    let i = global_id();
    x[i] *= TABLE[i % 4];
}

fn main() {}
