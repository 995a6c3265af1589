use simt::prelude::*;

use std::ops::Add;
#[derive(Clone, Copy, KernelData)]
struct V { x: f32, y: f32 }
impl Add for V { type Output = V; fn add(self, o: V) -> V { V { x: self.x + o.x, y: self.y + o.y } } }
#[kernel]
fn k(p: &mut [V]) {
    let i = global_id();
    p[i] = p[i] + p[i];
}

fn main() {}
