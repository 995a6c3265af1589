use simt::prelude::*;

#[kernel]
fn wrong<T: Num>(out: &mut [T]) {
    out[0] = 1;
}

fn main() {}
