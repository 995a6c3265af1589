use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct Point {
    x: u32,
}

#[kernel]
fn numbers(n: u32, out: &mut [u32]) {
    out[0] = n.unwrap();
    out[1] = n.is_some() as u32;
    let p = Point { x: n };
    out[2] = p.expect(3);
}

#[kernel]
fn options(n: u32, out: &mut [u32]) {
    let a = n.checked_add(1);
    out[0] = a.expect(n);
    out[1] = a.unwrap(3);
    out[2] = a.unwrap_or();
}

fn main() {}
