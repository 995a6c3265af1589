use simt::prelude::*;

#[derive(Clone, KernelData)]
struct Node {
    next: Option<Box<Node>>,
    value: u32,
}

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    let a = Box::new(n);
    let b: Option<Box<u32>> = None;
    let c: (u32, Box<u32>) = (1, a);
    let d = std::cell::Cell::new(n);
    out[0] = *a;
}

#[device]
fn boxed(n: Box<u32>) -> u32 {
    *n
}

fn main() {}
