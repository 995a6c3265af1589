use simt::prelude::*;

#[derive(Clone, Copy)]
struct Plain {
    x: f32,
}

#[derive(Clone, Copy, KernelData)]
struct Outer {
    plain: [Plain; 2],
}

fn main() {}
