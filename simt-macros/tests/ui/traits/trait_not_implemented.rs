use simt::prelude::*;

#[device]
trait Op { fn apply(a: u32, b: u32) -> u32; }
#[derive(Clone, Copy, KernelData)]
struct Plus;
#[device]
fn run<O: Op>(a: u32, b: u32) -> u32 { O::apply(a, b) }
#[kernel]
fn k(out: &mut [u32]) {
    let i = global_id();
    out[i] = run::<Plus>(1, 2);
}

fn main() {}
