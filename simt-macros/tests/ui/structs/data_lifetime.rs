use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct View<'a> {
    x: &'a [f32],
}

fn main() {}
