use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
enum Shape {
    Round,
}

fn main() {}
