use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct View<'a> { data: &'a [f32], n: u32 }
#[kernel]
fn k(m: View, out: &mut [u32]) {
    let i = global_id();
    out[i] = m.n;
}

fn main() {}
