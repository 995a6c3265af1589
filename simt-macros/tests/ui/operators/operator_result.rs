use simt::prelude::*;
use std::ops::*;

#[derive(Clone, Copy, KernelData)]
struct V {
    x: f32,
    y: f32,
}

#[device]
impl Mul for V {
    type Output = f32;

    fn mul(self, other: V) -> f32 {
        self.x * other.x + self.y * other.y
    }
}

#[kernel]
fn wrong(v: &mut [V]) {
    v[0] = v[0] * v[1];
}

fn main() {}
