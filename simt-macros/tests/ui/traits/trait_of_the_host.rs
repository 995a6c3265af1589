use simt::prelude::*;

trait Area { fn area(&self) -> f32; }
#[derive(Clone, Copy, KernelData)]
struct Sq { a: f32 }
impl Area for Sq { fn area(&self) -> f32 { self.a * self.a } }
#[kernel]
fn k(p: &[Sq], out: &mut [f32]) {
    let i = global_id();
    out[i] = p[i].area();
}

fn main() {}
