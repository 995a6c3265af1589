use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct Point {
    x: f32,
    y: f32,
}

#[kernel]
fn wrong(out: &mut [f32]) {
    let p = Point { x: 1.0, y: 2.0, z: 3.0 };
    out[0] = p.x + p.y;
}

fn main() {}
