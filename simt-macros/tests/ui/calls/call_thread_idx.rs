use simt::prelude::*;

#[kernel]
fn wrong(out: &mut [usize]) {
    out[0] = thread_idx();
}

fn main() {}
