use simt::prelude::*;

struct Vec3 { x: f32, y: f32, z: f32 }

#[device]
impl Vec3 {
    fn new(x: f32, y: f32, z: f32) -> Vec3 { Vec3 { x, y, z } }
    fn dot(self, o: Vec3) -> f32 { self.x * o.x + self.y * o.y + self.z * o.z }
    fn scale(&self, by: f32) -> Self { Self { x: self.x * by, y: self.y * by, z: self.z * by } }
}

#[kernel]
fn lengths(x: &[Vec3], out: &mut [f32]) {
    let i = global_id();
    if i < x.len() {
        let v = x[i].scale(2.0);
        out[i] = v.dot(v).sqrt();
    }
}

fn main() {}
