use simt::prelude::*;

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    match n {
        0 => 1,
        _ => out[0] = 2,
    }
}

fn main() {}
