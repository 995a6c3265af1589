use simt::prelude::*;

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    if matches!(n, true) {
        out[0] = n;
    }
    if matches!(n, 1 if n) {
        out[0] = n;
    }
    if let Some(m) = n.checked_sub(1) && m > 2 {
        out[1] = 1;
    } else {
        out[1] = m;
    }
}

fn main() {}
