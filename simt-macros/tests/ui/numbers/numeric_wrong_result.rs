use simt::prelude::*;

#[kernel]
fn wrong(n: i32, out: &mut [i32]) {
    out[0] = n.abs_diff(3);
}

fn main() {}
