use simt::prelude::*;

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    out[0] = loop {
        if n > 3 {
            break 1;
        }
        break 2.5;
    };
}

fn main() {}
