use simt::prelude::*;

#[derive(KernelData)]
struct Point {
    x: f32,
}

fn main() {}
