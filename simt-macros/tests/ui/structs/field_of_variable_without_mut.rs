use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct P { x: f32, v: f32 }
#[kernel]
fn k(p: &mut [P], dt: f32) {
    let i = global_id();
    let q = p[i];
    q.x += q.v * dt;
    p[i] = q;
}

fn main() {}
