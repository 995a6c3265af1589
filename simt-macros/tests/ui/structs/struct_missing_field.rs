use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct Point {
    x: f32,
    v: [u32; 3],
}

#[kernel]
fn wrong(p: &mut [Point]) {
    p[0] = Point { x: 1.0 };
}

fn main() {}
