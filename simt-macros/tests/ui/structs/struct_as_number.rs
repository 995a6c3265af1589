use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct Point {
    x: f32,
    v: [u32; 3],
}

#[kernel]
fn wrong(p: &[Point], out: &mut [f32]) {
    out[0] = p[0] + 1.0;
}

fn main() {}
