use simt::prelude::*;

#[kernel]
fn k(x: &mut [u32]) {
    const OPS: [fn(u32) -> u32; 2] = [|x| x + 1, |x| x - 1];
    x[0] = OPS[1](x[0]);
}

fn main() {}
