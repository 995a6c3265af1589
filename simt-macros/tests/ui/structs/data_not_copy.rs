use simt::prelude::*;

#[derive(KernelData)]
struct Point {
    x: f32,
}

#[kernel]
fn wrong(points: &mut [Point]) {
    points[0].x = 1.0;
}

fn main() {}
