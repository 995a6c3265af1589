use simt::prelude::*;

mod glam { #[derive(Clone, Copy)] pub struct Vec3 { pub x: f32 } impl Vec3 { pub fn new(x: f32, y: f32, z: f32) -> Self { Self { x: x + y + z } } } }
use glam::Vec3;
#[kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let i = global_id();
    let v = Vec3::new(x[i], 0.0, 1.0);
    out[i] = v.x;
}

fn main() {}
