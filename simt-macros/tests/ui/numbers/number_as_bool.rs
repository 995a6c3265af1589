use simt::prelude::*;

#[kernel]
fn k(x: &[u32], out: &mut [bool]) {
    let i = global_id();
    out[i] = x[i] as bool;
}

fn main() {}
