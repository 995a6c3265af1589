use simt::prelude::*;

#[kernel]
fn k(name: &str, out: &mut [usize]) {
    let i = global_id();
    out[i] = name.len();
}

fn main() {}
