use simt::prelude::*;

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    out[0] = match n {
        0 => 1,
        _ => {
            out[1] = 2;
        }
    };
}

fn main() {}
