use simt::prelude::*;
use std::ops::*;

#[derive(Clone, Copy, KernelData)]
struct V {
    x: f32,
    y: f32,
}

#[device]
impl Add for V {
    type Output = V;

    fn add(self, other: V) -> V {
        V { x: self.x + other.x, y: self.y + other.y }
    }
}

#[device]
impl Add<&V> for &V {
    type Output = V;

    fn add(self, other: &V) -> V {
        V { x: self.x + other.x, y: self.y + other.y }
    }
}

fn main() {}
