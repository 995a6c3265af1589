use simt::prelude::*;

use std::sync::Arc;
#[kernel]
fn k(x: Arc<Vec<u32>>, out: &mut [u32]) {
    let i = global_id();
    out[i] = x[i];
}

fn main() {}
