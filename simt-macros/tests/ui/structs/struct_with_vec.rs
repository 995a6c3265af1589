use simt::prelude::*;

#[derive(Clone, KernelData)]
struct Mesh { points: Vec<f32>, n: u32 }
#[kernel]
fn k(m: &[Mesh], out: &mut [u32]) {
    let i = global_id();
    out[i] = m[i].n;
}

fn main() {}
