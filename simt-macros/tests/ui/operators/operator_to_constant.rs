use simt::prelude::*;
use std::ops::*;

#[derive(Clone, Copy, KernelData)]
struct V {
    x: f32,
    y: f32,
}

#[device]
impl AddAssign for V {
    fn add_assign(&mut self, other: V) {
        self.x += other.x;
        self.y += other.y;
    }
}

#[kernel]
fn wrong(v: &mut [V]) {
    let sum = v[0];
    sum += v[1];
    v[0] = sum;
}

fn main() {}
