use simt::prelude::*;

#[kernel]
fn other(out: &mut [u32]) {
    out[0] = 1;
}

#[kernel]
fn wrong(out: &mut [u32]) {
    other(out);
}

fn main() {}
