use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct View {
    x: &[f32],
}

#[kernel]
fn wrong(x: &[f32], out: &mut [f32]) {
    let v = View { x };
    out[0] = v.x[0];
}

fn main() {}
