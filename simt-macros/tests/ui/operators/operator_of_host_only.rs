use simt::prelude::*;
use std::ops::*;

#[derive(Clone, Copy, KernelData)]
struct V {
    x: f32,
    y: f32,
}

impl Add for V {
    type Output = V;

    fn add(self, other: V) -> V {
        V { x: self.x + other.x, y: self.y + other.y }
    }
}

#[kernel]
fn wrong(v: &mut [V]) {
    v[0] = v[0] + v[1];
}

fn main() {}
