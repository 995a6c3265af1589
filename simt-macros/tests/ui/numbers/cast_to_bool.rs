use simt::prelude::*;

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    let flag = n as bool;
    if flag {
        out[0] = 1;
    }
}

fn main() {}
