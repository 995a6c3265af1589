use simt::prelude::*;

#[kernel]
fn k(x: &[char], out: &mut [u32]) {
    let i = global_id();
    out[i] = x[i] as u32;
}

fn main() {}
