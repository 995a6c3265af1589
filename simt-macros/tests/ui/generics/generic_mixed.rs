use simt::prelude::*;

#[kernel]
fn wrong<T: Num, U: Num>(a: T, b: U, out: &mut [T]) {
    out[0] = a + b;
}

fn main() {}
