use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct Rows {
    rows: [[f32; 2]; 3],
}

#[derive(Clone, Copy)]
struct Plain {
    x: f32,
}

#[derive(Clone, Copy, KernelData)]
struct Outer {
    plain: Plain,
}

fn main() {}
