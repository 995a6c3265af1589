use simt::prelude::*;

#[kernel]
fn written(x: &mut [u32]) {
    let a: &mut [u32; 2] = (&mut x[..2]).try_into().unwrap();
    a[0] = 1;
}

fn main() {}
