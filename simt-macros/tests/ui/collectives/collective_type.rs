use simt::prelude::*;

#[kernel]
fn wrong(n: u32, masks: &mut [u64]) {
    masks[0] = ballot(n);
}

fn main() {}
