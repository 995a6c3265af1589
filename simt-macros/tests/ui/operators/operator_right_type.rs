use simt::prelude::*;
use std::ops::*;

#[derive(Clone, Copy, KernelData)]
struct V {
    x: f32,
    y: f32,
}

#[device]
impl Mul<f32> for V {
    type Output = V;

    fn mul(self, by: f32) -> V {
        V { x: self.x * by, y: self.y * by }
    }
}

#[kernel]
fn wrong(v: &mut [V], n: u32) {
    v[0] = v[0] * n;
}

fn main() {}
