use simt::prelude::*;

#[derive(KernelData)]
struct P { x: f32, v: f32 }
#[kernel]
fn step(p: &mut [P], dt: f32) {
    let i = global_id();
    if i < p.len() {
        let mut q = p[i];
        q.x += q.v * dt;
        p[i] = q;
    }
}

fn main() {}
