use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct V {
    x: f32,
    y: f32,
}

#[kernel]
fn wrong(v: &[V], out: &mut [bool]) {
    out[0] = !v[1];
}

fn main() {}
