use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct Point {
    x: f32,
    v: [u32; 3],
}

#[kernel]
fn wrong(p: &mut [Point]) {
    p[0].x = 1;
    p[0].v[0] = 2.0;
}

fn main() {}
