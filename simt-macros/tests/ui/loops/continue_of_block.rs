use simt::prelude::*;

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    'part: {
        if n == 3 {
            continue 'part;
        }
    }
    out[0] = n;
}

fn main() {}
