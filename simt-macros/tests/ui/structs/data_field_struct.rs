use simt::prelude::*;

#[derive(Clone, Copy)]
struct Place {
    x: f32,
}

#[derive(Clone, Copy, KernelData)]
struct Body {
    place: Place,
}

fn main() {}
