use simt::prelude::*;

const LIMIT: u64 = 3;

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    match n {
        LIMIT => out[0] = 1,
        _ => out[0] = 2,
    }
}

fn main() {}
