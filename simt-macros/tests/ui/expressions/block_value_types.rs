use simt::prelude::*;

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    out[0] = 'part: {
        if n == 3 {
            break 'part true;
        }
        n
    };
}

fn main() {}
