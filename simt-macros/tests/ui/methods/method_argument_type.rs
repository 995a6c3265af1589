use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct P { x: f32, v: f32 }
#[device]
impl P {
    fn at(&self, t: f32) -> f32 { self.x + self.v * t }
}
#[kernel]
fn k(p: &[P], out: &mut [f32], n: u32) {
    let i = global_id();
    out[i] = p[i].at(n);
}

fn main() {}
