use simt::prelude::*;

#[kernel]
fn wrong(n: u32, out: &mut [usize]) {
    out[0] = n.len();
}

fn main() {}
