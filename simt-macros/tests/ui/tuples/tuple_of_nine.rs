use simt::prelude::*;

#[kernel]
fn value(n: u32, out: &mut [u32]) {
    let t = (n, 1, 2, 3, 4, 5, 6, 7, 8);
    out[0] = t.8;
    let (a, b, c, d, e, f, g, h, i) = (n, 1, 2, 3, 4, 5, 6, 7, 8);
    out[1] = a + i;
}

#[kernel]
fn parameter(x: &[(u32, u32, u32, u32, u32, u32, u32, u32, u32)], out: &mut [u32]) {
    out[0] = x[0].8;
}

#[device]
fn result(n: u32) -> (u32, u32, u32, u32, u32, u32, u32, u32, u32) {
    (n, 1, 2, 3, 4, 5, 6, 7, 8)
}

#[derive(Clone, Copy, KernelData)]
struct Field {
    all: (u32, u32, u32, u32, u32, u32, u32, u32, u32),
}

fn main() {}
