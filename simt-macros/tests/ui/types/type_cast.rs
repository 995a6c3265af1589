use simt::prelude::*;

#[kernel]
fn wrong(a: f32, out: &mut [bool]) {
    out[0] = a as bool;
}

fn main() {}
