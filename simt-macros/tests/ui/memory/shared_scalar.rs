use simt::prelude::*;

#[kernel]
fn wrong(out: &mut [u32]) {
    #[shared]
    let mut total: u32;
    out[0] = total;
}

fn main() {}
