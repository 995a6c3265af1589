use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct Point(f32, f32);

fn main() {}
