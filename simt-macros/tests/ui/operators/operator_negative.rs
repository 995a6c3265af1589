use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct V {
    x: f32,
    y: f32,
}

#[kernel]
fn wrong(v: &mut [V]) {
    v[0] = -v[1];
}

fn main() {}
