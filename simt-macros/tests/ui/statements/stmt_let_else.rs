use simt::prelude::*;

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    let m = n else { return };
    let Some(k) = n.checked_sub(1) else { return };
    out[0] = m + k;
}

fn main() {}
