use simt::prelude::*;

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    match n > 3 {
        true => out[0] = 1,
    }
}

fn main() {}
