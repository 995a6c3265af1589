use simt::prelude::*;

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    out[0] = loop {
        if n > 3 {
            break;
        }
        break n;
    };
}

fn main() {}
