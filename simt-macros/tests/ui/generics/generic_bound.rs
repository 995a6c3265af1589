use simt::prelude::*;

#[kernel]
fn wrong<T: Scalar>(a: T, out: &mut [T]) {
    out[0] = a + a;
}

fn main() {}
