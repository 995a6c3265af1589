use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct P { x: f32, v: f32 }
impl P {
    fn new(x: f32, v: f32) -> P { P { x, v } }
}
#[kernel]
fn k(p: &mut [P]) {
    let i = global_id();
    p[i] = P::new(1.0, 2.0);
}

fn main() {}
