use simt::prelude::*;

#[allow(non_upper_case_globals)]
const limit: u32 = 3;

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    match n {
        limit => out[0] = 1,
        _ => out[0] = 2,
    }
}

fn main() {}
