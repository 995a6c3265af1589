use simt::prelude::*;

struct View<'a> {
    x: &'a [f32],
    n: u32,
}

#[derive(Clone, Copy, KernelData)]
struct Derived<'a> {
    x: &'a [f32],
}

#[kernel]
fn wrong(v: View<'_>, out: &mut [f32]) {
    out[0] = v.x[v.n as usize];
}

#[kernel]
fn of_derived(v: Derived<'_>, out: &mut [f32]) {
    out[0] = v.x[0];
}

fn main() {}
