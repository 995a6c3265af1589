use simt::prelude::*;

#[derive(KernelData)]
struct Point {
    x: u32,
}

#[kernel]
fn wrong(p: &mut [Point], out: &mut [u32]) {
    out[0] = p[0].x;
}

fn main() {}
