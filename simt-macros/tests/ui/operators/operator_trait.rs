use simt::prelude::*;
use std::ops::*;

#[derive(Clone, Copy, KernelData)]
struct V {
    x: f32,
    y: f32,
}

#[device]
impl Index<usize> for V {
    type Output = f32;

    fn index(&self, _: usize) -> &f32 {
        &self.x
    }
}

fn main() {}
