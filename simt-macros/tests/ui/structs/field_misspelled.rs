use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct P { x: f32, v: f32 }
#[kernel]
fn step(p: &mut [P], dt: f32) {
    let i = global_id();
    p[i].x += p[i].vel * dt;
}

fn main() {}
