use simt::prelude::*;

static mut COUNT: u32 = 0;
#[kernel]
fn k(out: &mut [u32]) {
    let i = global_id();
    COUNT += 1;
    out[i] = COUNT;
}

fn main() {}
