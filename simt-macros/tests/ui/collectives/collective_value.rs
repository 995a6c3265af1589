use simt::prelude::*;

#[kernel]
fn wrong(out: &mut [u32]) {
    out[0] = sync_threads();
}

fn main() {}
