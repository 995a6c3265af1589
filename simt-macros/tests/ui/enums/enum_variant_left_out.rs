use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
enum Shape { Circle(f32), Square(f32) }
#[kernel]
fn areas(s: &[Shape], out: &mut [f32]) {
    let i = global_id();
    out[i] = match s[i] { Shape::Circle(r) => r * r };
}

fn main() {}
