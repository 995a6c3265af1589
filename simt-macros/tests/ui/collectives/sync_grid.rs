use simt::prelude::*;

#[kernel]
fn k(x: &mut [u32]) {
    sync_grid(1);
    x[0] = sync_grid();
}

fn main() {}
