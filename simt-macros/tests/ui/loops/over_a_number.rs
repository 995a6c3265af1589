use simt::prelude::*;

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    for i in n {
        out[0] += i;
    }
}

fn main() {}
