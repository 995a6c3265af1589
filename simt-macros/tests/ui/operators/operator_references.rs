use simt::prelude::*;
use std::ops::*;

#[derive(Clone, Copy, KernelData)]
struct V {
    x: f32,
    y: f32,
}

#[device]
impl Add<&mut V> for V {
    type Output = V;

    fn add(self, other: &mut V) -> V {
        V { x: self.x + other.x, y: self.y + other.y }
    }
}

#[device]
impl Add<&[f32]> for V {
    type Output = V;

    fn add(self, other: &[f32]) -> V {
        V { x: self.x + other[0], y: self.y + other[1] }
    }
}

fn main() {}
