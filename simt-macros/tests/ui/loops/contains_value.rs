use simt::prelude::*;

#[kernel]
fn wrong(n: u32, x: &mut [u32]) {
    if (0..4).contains(n) {
        x[0] = 1;
    }
    if (0..4).contains(&1.5) {
        x[0] = 2;
    }
}

fn main() {}
