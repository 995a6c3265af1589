use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
enum Shape {
    Circle(f32),
    Rect { w: f32, h: f32 },
}

#[kernel]
fn wrong(out: &mut [f32]) {
    let s = Shape::Sphere(1.0);
    let t = Shape::Box { w: 1.0, h: 2.0 };
    out[0] = match s {
        Shape::Circle(r) => r,
        Shape::Rect { w, h } => w * h,
    };
}

fn main() {}
