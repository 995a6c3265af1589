use simt::prelude::*;

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    for i in 0..n {
        'part: {
            if i == 3 {
                break;
            }
            break 'part;
        }
    }
    out[0] = n;
}

fn main() {}
