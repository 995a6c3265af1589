use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct Named {
    x: f32,
    name: &'static str,
    letters: [char; 4],
    place: (f32, f32),
}

fn main() {}
