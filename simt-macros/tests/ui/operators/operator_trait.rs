use simt::prelude::*;
use std::ops::*;

#[derive(Clone, Copy, KernelData)]
struct V {
    x: f32,
    y: f32,
}

#[device]
impl Deref for V {
    type Target = f32;

    fn deref(&self) -> &f32 {
        &self.x
    }
}

fn main() {}
