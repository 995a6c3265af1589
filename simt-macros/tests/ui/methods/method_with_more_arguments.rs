use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct P { x: f32, v: f32 }
#[device]
impl P {
    fn energy(&self) -> f32 { 0.5 * self.v * self.v }
    fn new(x: f32, v: f32) -> P { P { x, v } }
}
#[kernel]
fn k(p: &[P], out: &mut [f32]) {
    let i = global_id();
    out[i] = p[i].energy(1.0);
}

fn main() {}
