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
fn wrong(v: &[V]) {
    v[0] += v[1];
}

fn main() {}
