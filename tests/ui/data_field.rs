use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct Named {
    x: f32,
    name: &'static str,
}

fn main() {}
