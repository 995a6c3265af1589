use simt::prelude::*;

#[derive(Clone, KernelData)]
struct Named {
    name: String,
    n: u32,
}

#[kernel]
fn wrong(x: Named, out: &mut [u32]) {
    out[0] = x.n;
}

fn main() {}
