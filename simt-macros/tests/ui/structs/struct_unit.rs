use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct Sum;

struct Bare;

#[device]
trait Operator {
    fn combine(a: u32, b: u32) -> u32;
}

#[device]
impl Operator for Sum {
    fn combine(a: u32, b: u32) -> u32 {
        a + b
    }
}

#[device]
impl Operator for Bare {
    fn combine(a: u32, b: u32) -> u32 {
        a * b
    }
}

#[device]
fn both<O: Operator>(a: u32) -> u32 {
    O::combine(a, a)
}

#[kernel]
fn uses(out: &mut [u32]) {
    out[0] = both::<Sum>(3);
    out[1] = both::<u32>(3);
    let mut sum = Sum;
    sum = 3;
}

fn main() {}
