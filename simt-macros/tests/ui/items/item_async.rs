use simt::prelude::*;

#[kernel]
async fn wrong(out: &mut [u32]) {
    out[0] = 1;
}

fn main() {}
