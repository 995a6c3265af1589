use simt::prelude::*;

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    let 1.. = n else {
        out[0] = 7;
    };
    let Some(k): Option<u32> = n.checked_sub(1) else { return };
    out[0] = k;
}

fn main() {}
