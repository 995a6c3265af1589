use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct P { x: f32, v: f32 }
impl P {
    fn energy(&self) -> f32 { 0.5 * self.v * self.v }
    // A name that slices have, too.
    fn get(&self) -> f32 { self.x }
}
#[kernel]
fn k(p: &[P], out: &mut [f32]) {
    let i = global_id();
    out[i] = p[i].energy();
    let own = p[i];
    out[i] += own.get();
}

fn main() {}
