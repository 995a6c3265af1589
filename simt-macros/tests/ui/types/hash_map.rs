use simt::prelude::*;

use std::collections::HashMap;
#[kernel]
fn k(x: &[u32], out: &mut [u32]) {
    let i = global_id();
    let mut seen = HashMap::new();
    seen.insert(x[i], 1);
    out[i] = seen.len() as u32;
}

fn main() {}
